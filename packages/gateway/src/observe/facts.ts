/**
 * What happens in the gateway, as small facts that the ledger, the metrics, the log, traces and the page are made from.
 * A fact says that something happened, to whom and when. It never holds a text of a prompt or a reply, nor a key.
 * Nothing is told per delta: what changes while a turn runs is read from the turn itself when somebody looks.
 */
export type Fact =
	| TurnEnded
	| Refused
	| RunParked
	| RunUnparked
	| RunRetried
	| RunEnded
	| Replayed
	| LimitDecided
	| LimitChanged
	| LoopSeen
	| LiveFact;

/** The steps of a turn. They are told only while somebody watches. */
export type LiveFact = TurnAdmitted | TurnRouted | TurnStep;

/** Where a request came from. */
export interface RequestOrigin {
	requestId: string;
	/** What the client calls itself in its user agent. */
	client?: string;
	/** The name of the key that it sent. */
	key?: string;
	/** The W3C trace context of the request, as the client sent it. */
	traceparent?: string;
}

/** A turn has a place among the caller's turns, and its request is understood. */
interface TurnAdmitted extends RequestOrigin {
	type: "turn-admitted";
	/** Milliseconds since 1970, in every fact. */
	at: number;
	caller: string;
	dialect: string;
	model: string;
}

/** How the turn reaches Cursor is decided. */
interface TurnRouted {
	type: "turn-routed";
	at: number;
	requestId: string;
	/** The rung. */
	path: string;
	/** Why this rung and not a higher one, in a few words. */
	reason: string;
	conversation: string;
	/** The run that replies; several turns may share one. */
	runId: string;
	/** The model that answers. */
	answered: string;
}

/** A turn does something else than before. */
interface TurnStep {
	type: "turn-step";
	at: number;
	requestId: string;
	step: "connecting" | "thinking" | "streaming" | "tool";
}

/** What the gateway did until the first token, in microseconds by stage. Undefined: it did not happen. */
export interface TurnStages {
	/** The request was let in and got its place; its body was not read yet. */
	admitUs?: number;
	/** The body, which had arrived, became a request. */
	decodeUs?: number;
	/** The request was sent to Cursor. */
	sendUs?: number;
	/** The first content that arrived became a text for the client. */
	firstChunkUs?: number;
}

/** A turn is over, however it ended. The ledger keeps it as a row. */
export interface TurnEnded extends RequestOrigin, TurnFigures, TurnStages {
	type: "turn-ended";
	/** For an error: what the user can do about it. */
	nextStep?: string;
}

/** What is known of a turn at its end. */
export interface TurnFigures extends PromptParts, TurnTimes {
	/** When it ended. */
	at: number;
	caller: string;
	dialect: string;
	/** As the client asked for it. */
	model: string;
	/** The model that answered; undefined if none was reached. */
	answered?: string;
	/** The pool of included usage that it was charged to. */
	pool?: "auto" | "api";
	/** The rung; `none` if the turn ended before one was chosen. */
	path: string;
	/** Why this rung and not a higher one, in a few words. */
	reason?: string;
	conversation?: string;
	runId?: string;
	inputTokens: number;
	outputTokens: number;
	cachedTokens: number;
	reasoningTokens: number;
	status: number;
	errorKind?: string;
	/** The names of the tools that the reply calls, separated by commas. */
	tools?: string;
	/** How often Cursor searched the web for it. */
	webSearches?: number;
	/** What the client was warned of, as in `x-cursorwire-warnings`. */
	warnings?: string;
}

/** What the prompt consists of, in tokens: the share of each part in its characters. Undefined: not known. */
interface PromptParts {
	systemTokens?: number;
	/** The definitions of tools. */
	toolTokens?: number;
	/** Earlier messages. */
	historyTokens?: number;
	/** Results of tools, in the history or new. */
	resultTokens?: number;
	imageTokens?: number;
	/** What the user wrote last. */
	messageTokens?: number;
}

/** Milliseconds since the request was admitted, unless another beginning is named. Undefined: it did not happen. */
export interface TurnTimes {
	latencyMs: number;
	/** The request was handed to Cursor. */
	sentMs?: number;
	firstTokenMs?: number;
	firstThinkingMs?: number;
	firstTextMs?: number;
	firstCallMs?: number;
	/** How long the run had waited for the results that this request brought. */
	waitedMs?: number;
	/** The gateway's own part of the time until the first token, in microseconds: the sum of the `TurnStages`. */
	gatewayUs?: number;
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

/** A reply ended in tool calls, and its run waits for their results. */
export interface RunParked {
	type: "run-parked";
	at: number;
	runId: string;
	conversation: string;
	caller: string;
	/** As the client asked for it. */
	model: string;
	tools: readonly string[];
}

/** A parked run waits no longer. */
export interface RunUnparked {
	type: "run-unparked";
	at: number;
	runId: string;
	/** `gone`: the stream broke, the client gave up, or the gateway closes. */
	how: "answered" | "expired" | "evicted" | "gone";
	waitedMs: number;
	calls: number;
	/** How many of them are for Cursor's own tools, which the client's tools stand for. */
	builtInCalls: number;
}

/** A run goes on with another stream. */
export interface RunRetried {
	type: "run-retried";
	at: number;
	runId: string;
	/** `connect`: the host was not reached, or not over HTTP/2. `server`: it refused the request or failed. */
	reason: "connect" | "reset" | "stalled" | "server" | "auth";
}

/** A run is over. */
export interface RunEnded {
	type: "run-ended";
	at: number;
	runId: string;
	protocol: "agent" | "unified" | "legacy";
	channel: "h2" | "h1";
	/** `cut`: its stream broke. `refused`: Cursor answered with an error. */
	how: "turn_ended" | "cut" | "cancelled" | "refused";
	/** Calls that no tool of the client's could carry out: of tools that it does not have, and of Cursor's own. */
	refusedCalls: { client: number; builtin: number };
}

/** A request that repeats an earlier one got the same reply, or was refused. */
export interface Replayed {
	type: "replayed";
	at: number;
	how: "joined" | "replayed" | "refused";
}

/** What a limit of the spend guard said to a turn. */
export interface LimitDecided {
	type: "limit-decided";
	at: number;
	/** Its id. */
	limit: string;
	/** `warned`: a threshold was crossed. `cut`: it ended a reply. `unreadable`: nobody knows what was spent. */
	decision: "allowed" | "warned" | "refused" | "cut" | "unreadable";
	/** What the client is told; empty for `allowed`. */
	text: string;
}

/** The owner has changed a limit, here or on another gateway of the same store. */
export interface LimitChanged {
	type: "limit-changed";
	at: number;
	limit: string;
	change: "added" | "changed" | "paused" | "resumed" | "removed";
	/** The limit as it can be typed. */
	text: string;
}

/** A model makes the same call again and again. */
interface LoopSeen {
	type: "loop-seen";
	at: number;
	requestId: string;
	tool: string;
	times: number;
}

type Listener<T> = (fact: T) => void;

/** Hands every fact to all who listen, at once and in order. */
export class FactStream {
	readonly #listeners: Listener<Fact>[] = [];
	#watchers: readonly Listener<Fact>[] = [];

	/** Hears what is always told. */
	listen(listener: Listener<Exclude<Fact, LiveFact>>): void {
		this.#listeners.push(listener as Listener<Fact>);
	}

	/** Hears everything, the steps of turns included, until the returned function is called. */
	watch(watcher: Listener<Fact>): () => void {
		this.#watchers = [...this.#watchers, watcher];
		return () => {
			this.#watchers = this.#watchers.filter((other) => other !== watcher);
		};
	}

	/** Whether a `LiveFact` has to be made at all. */
	get isWatched(): boolean {
		return this.#watchers.length > 0;
	}

	tell(fact: Exclude<Fact, LiveFact>): void {
		for (const listener of this.#listeners) listener(fact);
		for (const watcher of this.#watchers) watcher(fact);
	}

	/** Only where `isWatched`. */
	tellLive(fact: LiveFact): void {
		for (const watcher of this.#watchers) watcher(fact);
	}
}
