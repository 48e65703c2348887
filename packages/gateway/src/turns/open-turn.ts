import type { ServerResponse } from "node:http";
import type { DialectTurn } from "../dialects/dialect.ts";
import type { RequestOrigin } from "../observe/facts.ts";
import type { Asker, StartedTurn } from "../sessions/ladder.ts";
import type { GatewayError } from "../turn/error.ts";
import type { MeteredReply } from "./metered-reply.ts";
import type { PromptCount } from "./prompt-count.ts";
import { StreamResponse } from "./stream-response.ts";
import type { OutcomeWatch, TurnEnd } from "./turn-outcome.ts";
import type { WholeResponse } from "./whole-response.ts";

/** A turn from its request to its row in the ledger. */
export interface OpenTurn {
	call: DialectTurn;
	asker: Asker;
	origin: RequestOrigin;
	response: ServerResponse;
	prompt: PromptCount;
	watch: OutcomeWatch;
	/** How long it took to understand the request. */
	decodeMs: number;
	started: StartedTurn | undefined;
	/** The newest of its replies. */
	reply: MeteredReply | undefined;
	isSettled: boolean;
	/** Writes the row in the ledger. Only the first call counts. */
	settle(end: TurnEnd): void;
	/** What the client gets: a stream, or replies that are collected first. */
	target: StreamResponse | readonly WholeResponse[] | undefined;
}

/** Ends a turn with an error, which the client is told. */
export function failTurn({ target }: OpenTurn, error: GatewayError): void {
	if (target instanceof StreamResponse) target.failed(error);
	else for (const reply of target ?? []) reply.failed(error);
}
