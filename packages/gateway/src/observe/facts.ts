/**
 * What happens in the gateway, as small facts that the ledger, the log and whoever watches are made from. A fact says
 * that something happened, to whom and how long it took. It never holds a text of a prompt or a reply, nor a key.
 * Nothing is told per delta: what changes while a turn runs is read from the turn itself when somebody looks.
 */
export type Fact = TurnEnded | Refused;

/** Where a request came from. */
export interface RequestOrigin {
	requestId: string;
	/** What the client calls itself in its user agent. */
	client?: string;
	/** The name of the key that it sent. */
	key?: string;
}

/** A turn is over, however it ended. The ledger keeps it as a row. */
export interface TurnEnded extends RequestOrigin {
	type: "turn-ended";
	/** Milliseconds since 1970. */
	at: number;
	caller: string;
	dialect: string;
	model: string;
	/** The rung; `none` if the turn ended before one was chosen. */
	path: string;
	inputTokens: number;
	outputTokens: number;
	cachedTokens: number;
	reasoningTokens: number;
	latencyMs: number;
	/** Undefined: the turn ended before its first token. */
	firstTokenMs?: number;
	status: number;
	errorKind?: string;
	/** For an error: what the user can do about it. */
	nextStep?: string;
}

/** A request was refused before it became a turn. */
export interface Refused extends Partial<RequestOrigin> {
	type: "refused";
	method?: string;
	/** The path as the table of routes has it, so that nothing of what a client puts into a path is told. */
	route?: string;
	status: number;
	errorKind: string;
	reason: string;
	nextStep: string;
}

/** Hands every fact to all who listen, at once and in order. */
export class FactStream {
	readonly #listeners: ((fact: Fact) => void)[] = [];

	listen(listener: (fact: Fact) => void): void {
		this.#listeners.push(listener);
	}

	tell(fact: Fact): void {
		for (const listener of this.#listeners) listener(fact);
	}
}
