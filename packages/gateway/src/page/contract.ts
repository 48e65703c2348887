/**
 * What the page at `/` and the gateway say to each other, as JSON. The page is a program of its own (`packages/page`)
 * and imports nothing from the gateway but these types.
 *
 * | request | answer |
 * |---|---|
 * | `GET /`, `/page/page.js`, `/page/page.css`, `/page/icon.svg` | the page, for anyone |
 * | `POST /page/api/session` with `SessionRequest` | `SessionAnswer`; 401 for a code that is unknown, used or too old |
 * | `DELETE /page/api/session` | 204 |
 * | `GET /page/api/live` | `text/event-stream`: `snapshot` with `LiveSnapshot`, then `change` with `LiveChange` |
 * | `POST /page/api/turns/:requestId/stop` | 204; 404 if it is not under way |
 * | `GET /page/api/plan` | `PlanAnswer` |
 * | `GET /page/api/totals?since=<ms>` | `TotalsAnswer`, for the stopwatch |
 * | `GET /page/api/turns?before=<id>&limit=<n>&client=&model=&path=&error=&slow=<ms>` | `TurnsAnswer` |
 * | `GET /page/api/turns?conversation=<id>` | the same for one conversation, all of it |
 * | `GET /page/api/turns/:id` | `TurnAnswer` |
 * | `GET /page/api/turns/:id/recording` | its recording, as a file to download |
 * | `GET /page/api/models` | `ModelsAnswer` |
 * | `GET /page/api/clients` | `ClientsAnswer` |
 * | `GET /page/api/health` | `HealthAnswer` |
 * | `GET /page/api/report` | the masked report, as a file to download |
 *
 * All but the first two need the header `x-cursorwire-session`. Errors are `{ error: { message, nextStep } }`; 401
 * means that the session is over. Times are milliseconds since 1970, tokens are whole numbers.
 */

export interface SessionRequest {
	/** What follows `#` in the address that `cursorwire open` opened. */
	code: string;
}

export interface SessionAnswer {
	session: string;
	expiresAt: number;
}

/** Everything on the first view. */
export interface LiveSnapshot {
	/** Differs after every start of the gateway. */
	gateway: string;
	strip: Strip;
	/** Oldest first. */
	lanes: Lane[];
	/** Newest first, at most ten. */
	finished: TurnRow[];
}

/** What is different. A lane or a finished turn that is not named has not changed. */
export interface LiveChange {
	strip?: Strip;
	/** New and changed lanes, whole. */
	lanes?: Lane[];
	/** Ids of lanes that are no more. */
	gone?: string[];
	/** Newly finished, newest first. */
	finished?: TurnRow[];
}

export interface Strip {
	version: string;
	isDemo: boolean;
	signedIn: boolean;
	/** The address of the account and its plan, where Cursor says them. */
	email?: string;
	plan?: string;
	pools: Pool[];
	/** What streams to Cursor travel on: `HTTP/2`, or `HTTP/1.1` where HTTP/2 is blocked. */
	channel?: string;
	store: "memory" | "sqlite" | "redis";
	/** What is wrong at the moment, in a sentence each. */
	problems: string[];
}

export interface Pool {
	name: "auto" | "api";
	/** 0 to 100. */
	usedPercent?: number;
	usedCents?: number;
	limitCents?: number;
	resetsAt?: number;
}

export type LaneState = "connecting" | "thinking" | "streaming" | "tool" | "waiting" | "retrying";

/** A turn under way, or a run that waits for the results of tools. */
export interface Lane {
	/** The id of the request, or `run:` and the id of the run that waits. */
	id: string;
	/** The name of the key. */
	key?: string;
	/** What the client calls itself. */
	client?: string;
	dialect?: string;
	model: string;
	answered?: string;
	path?: string;
	reason?: string;
	conversation?: string;
	state: LaneState;
	/** Of the tools that it waits for. */
	tools?: string[];
	/** When the state began, and when the turn did. */
	stateSince: number;
	startedAt: number;
	/** An estimate. */
	outputTokens: number;
	tokensPerSecond?: number;
}

/** A turn that has ended, as a row of a table. */
export interface TurnRow {
	/** Of the row in the ledger. Larger is newer. */
	id: number;
	at: number;
	requestId?: string;
	/** The name of the key, or what the caller is called otherwise. */
	key: string;
	client?: string;
	dialect: string;
	model: string;
	answered?: string;
	pool?: "auto" | "api";
	path: string;
	reason?: string;
	conversation?: string;
	inputTokens: number;
	outputTokens: number;
	cachedTokens: number;
	reasoningTokens: number;
	latencyMs: number;
	firstTokenMs?: number;
	gatewayUs?: number;
	waitedMs?: number;
	tools?: string[];
	status: number;
	errorKind?: string;
	/** What the error means and what to do about it, as in docs/errors.md: the page needs no other origin to say so. */
	errorMeaning?: string;
	nextStep?: string;
}

export interface TurnsAnswer {
	/** Newest first. */
	rows: TurnRow[];
	/** How many rows match in all. */
	total: number;
	/** What there is to choose from in the filters. */
	clients: string[];
	models: string[];
}

export interface TurnAnswer {
	turn: TurnRow;
	/** In the order of time; milliseconds since the request. */
	timeline: { step: string; atMs: number }[];
	/** The prompt in tokens by part; absent where it is not known. */
	anatomy?: { part: "system" | "tools" | "history" | "results" | "images" | "message"; tokens: number }[];
	warnings: string[];
	/** The turns of the same conversation, oldest first, this one included; at most 200. */
	conversation: TurnRow[];
	/** The name of a recording of this turn, where there is one. */
	recording?: string;
}

export interface Sums {
	turns: number;
	errors: number;
	inputTokens: number;
	cachedTokens: number;
	outputTokens: number;
	reasoningTokens: number;
}

export interface NamedSums extends Sums {
	name: string;
}

export interface TotalsAnswer extends Sums {
	pools: Pool[];
	now: number;
}

export interface PlanAnswer {
	pools: PoolHistory[];
	spans: {
		/** Since midnight, the last 7 days, and since the billing period began. */
		span: "today" | "week" | "period";
		since: number;
		all: Sums;
		byClient: NamedSums[];
		byModel: NamedSums[];
		/** The ten most expensive. */
		byConversation: NamedSums[];
	}[];
	/** The last 30 days, oldest first, days without turns included. */
	days: ({ day: string } & Sums)[];
	/** First tokens per day: the middle and the slow end, and the middle of the gateway's own part. */
	firstTokens: { day: string; p50: number; p95: number; gatewayMs: number }[];
	/** Turns per day by rung. */
	rungs: ({ day: string } & Record<"new" | "parked" | "checkpoint" | "rebuild", number>)[];
	/** Turns by weekday (0 is Monday) and hour, in the time zone of the gateway. */
	hours: { weekday: number; hour: number; turns: number }[];
	/** Empty until limits are set. */
	limits: LimitBar[];
	/** The command that adds one, as it can be typed. */
	addLimit: string;
}

/** What may be spent, and how much of it is. */
export interface LimitBar {
	id: string;
	/** As it can be typed. */
	name: string;
	/** Absent where each conversation is counted by itself, or Cursor has not said. */
	used?: number;
	limit: number;
	unit: "turns" | "tokens" | "percent" | "cents";
	/** The name of the key that it is about. */
	key?: string;
	resetsAt?: number;
	/** Absent: it is in force. */
	state?: "paused" | "watches";
}

export interface PoolHistory extends Pool {
	/** When the billing period began, if it is known. */
	periodStart?: number;
	/** What Cursor said, oldest first. */
	readings: { at: number; usedPercent: number }[];
	/** When it runs out at the rate of the last days; absent if that is after the reset. */
	runsOutAt?: number;
	/** What will be used at the reset, at that rate. */
	percentAtReset?: number;
}

export interface ModelsAnswer {
	models: {
		name: string;
		contextTokens?: number;
		/** Effort variants, as names that can be asked for. */
		variants: string[];
		aliases: string[];
		pool?: "auto" | "api";
		turns: number;
		errors: number;
		firstTokenMsP50?: number;
		tokensPerSecond?: number;
	}[];
	/** Names that clients asked for and no model has. */
	unknown: { name: string; turns: number }[];
}

export interface ClientsAnswer {
	keys: {
		/** By which `cursorwire keys` knows it. No character of the key itself is kept anywhere. */
		id: string;
		name: string;
		kind: "client" | "metrics";
		createdAt: number;
		lastUsedAt?: number;
		revokedAt?: number;
		concurrentTurns?: number;
		/** Limits that are about this key alone. */
		limits: LimitBar[];
		today: Sums;
	}[];
	/** Commands to copy. */
	commands: { client: string; title: string; connect: string; launch?: string }[];
}

export interface HealthAnswer {
	/** The findings of `cursorwire doctor`. */
	findings: { name: string; status: "ok" | "warning" | "error"; message: string; nextStep?: string }[];
	/** What Cursor sends that this version does not know, by kind. */
	drift: { what: string; name: string; count: number; since?: number; version?: string }[];
	/** Hosts of Cursor and what the breaker says of them. */
	hosts: { host: string; state: string }[];
}
