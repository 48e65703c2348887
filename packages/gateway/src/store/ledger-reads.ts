import type { LedgerRow } from "./ledger-row.ts";

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

/** What there is to choose from in a filter, in alphabetical order. */
export interface LedgerNames {
	callers: string[];
	models: string[];
}

/** How many names of a kind are given: a client may invent any number of models. */
export const MOST_NAMES = 500;

/** How many turns of a conversation are given, the newest ones. */
export const MOST_OF_CONVERSATION = 200;

/** Rows that have something in common, added up. One row is a group, too. */
export interface LedgerGroup extends LedgerSums {
	/** A time within the quarter of an hour that the rows are from. Time zones differ by whole quarters. */
	at: number;
	caller: string;
	model: string;
	answered?: string;
	conversation?: string;
	path: string;
	/** One for each row that has such a time, in milliseconds. */
	firstTokens: readonly number[];
	/** The same in microseconds. */
	gatewayTimes: readonly number[];
	/** How long the rows took from the first token on, and the output of that time. */
	speakingMs: number;
	spokenTokens: number;
}

/** What rows are put together by. Other fields of their groups hold no meaning. */
export type GroupedBy = "user" | "time" | "model";

/** What every store can be asked of the ledger. Nothing here takes long, even with many rows. */
export interface LedgerQueries {
	findRows(filter: RowFilter, limit: number): Promise<FoundRows>;
	findRow(id: number): Promise<StoredRow | undefined>;
	/** The last turns of a conversation, oldest first. */
	conversationRows(conversation: string): Promise<StoredRow[]>;
	ledgerNames(): Promise<LedgerNames>;
	/** The rows from `since` on in groups. Several groups may belong together. */
	ledgerGroups(by: GroupedBy, since: number): Promise<LedgerGroup[]>;
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

/** What the gateway makes of the ledger. */
export interface LedgerReads extends LedgerQueries {
	sumsSince(since: number): Promise<SumsSince>;
	/** Days with at least one turn, oldest first. */
	daysSince(since: number): Promise<LedgerDay[]>;
	hoursSince(since: number): Promise<HourCount[]>;
	modelsSince(since: number): Promise<ModelsSince>;
}
