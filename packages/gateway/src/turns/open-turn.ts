import type { ServerResponse } from "node:http";
import type { DialectTurn } from "../dialects/dialect.ts";
import type { RequestOrigin } from "../observe/facts.ts";
import type { Asker, StartedTurn } from "../sessions/ladder.ts";
import type { MeteredReply } from "./metered-reply.ts";
import type { PromptCount } from "./prompt-count.ts";
import type { OutcomeWatch, TurnEnd } from "./turn-outcome.ts";

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
	/** How long it took to give it its place, before its body was read. */
	admitMs: number;
	started: StartedTurn | undefined;
	/** The newest of its replies. */
	reply: MeteredReply | undefined;
	/** Writes the row in the ledger. Only the first call counts. */
	settle(end: TurnEnd): void;
}
