import type { LedgerRow } from "./store.ts";

/** A row as it is read. */
export interface StoredRow extends LedgerRow {
	/** Larger is newer. */
	id: number;
}

/** Which rows are wanted. What is absent does not restrict. */
export interface RowFilter {
	/** Only rows that are older than the one with this id. */
	beforeId?: number;
	since?: number;
	caller?: string;
	model?: string;
	path?: string;
	errorsOnly?: boolean;
	slowerThanMs?: number;
}

export interface FoundRows {
	/** Newest first. */
	rows: StoredRow[];
	/** How many rows match in all, however many were asked for and wherever they begin. */
	total: number;
}

export interface LedgerSums {
	turns: number;
	errors: number;
	inputTokens: number;
	cachedTokens: number;
	outputTokens: number;
	reasoningTokens: number;
}

export interface NamedLedgerSums extends LedgerSums {
	name: string;
}

/** What was used, in all and by whom. The most tokens come first. */
export interface SumsSince {
	all: LedgerSums;
	byCaller: NamedLedgerSums[];
	/** By the name that the client asked for. */
	byModel: NamedLedgerSums[];
	byConversation: NamedLedgerSums[];
}

/** One day in the time zone of the gateway. Times are in milliseconds. */
export interface LedgerDay extends LedgerSums {
	/** As 2026-11-15. */
	day: string;
	/** Turns by rung; `none` is among them. */
	rungs: Record<string, number>;
	firstTokenP50?: number;
	firstTokenP95?: number;
	/** The middle of the gateway's own part. */
	gatewayP50?: number;
}

/** Turns by hour of the week, in the time zone of the gateway. */
export interface HourCount {
	/** 0 is Monday. */
	weekday: number;
	hour: number;
	turns: number;
}

export interface ModelFigures {
	name: string;
	turns: number;
	errors: number;
	firstTokenP50?: number;
	tokensPerSecond?: number;
}

export interface ModelsSince {
	/** By the model that answered. */
	answered: ModelFigures[];
	/** Names that clients asked for in turns that no model answered. */
	unanswered: { name: string; turns: number }[];
}

/** What can be asked of the ledger. Nothing here takes long, even with many rows. */
export interface LedgerReads {
	findRows(filter: RowFilter, limit: number): Promise<FoundRows>;
	findRow(id: number): Promise<StoredRow | undefined>;
	/** The last 200 turns of a conversation, oldest first. */
	conversationRows(conversation: string): Promise<StoredRow[]>;
	/** The callers and models that the ledger knows, in alphabetical order. */
	ledgerNames(): Promise<{ callers: string[]; models: string[] }>;
	sumsSince(since: number): Promise<SumsSince>;
	/** Days with at least one turn, oldest first. */
	daysSince(since: number): Promise<LedgerDay[]>;
	hoursSince(since: number): Promise<HourCount[]>;
	modelsSince(since: number): Promise<ModelsSince>;
}
