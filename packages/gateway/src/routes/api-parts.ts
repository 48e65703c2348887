import type { Admission } from "../access/caller.ts";
import type { TurnGate } from "../access/turn-gate.ts";
import type { Problem } from "../observe/problem.ts";
import type { Handler, RequestCaller } from "../server/server.ts";
import type { Store } from "../store/store.ts";
import type { TurnService } from "../turns/turn-service.ts";
import type { CursorAccount } from "../upstream/account/cursor-account.ts";
import type { StoredResponses } from "./stored-responses.ts";

/** Who sent a request, under an id that is stable and holds no secret. */
export type Caller = Admission & RequestCaller;

/** A request as handlers get it. */
export type ApiRequest = Parameters<Handler<Caller>>[0];

/** What the routes are made from. */
export interface ApiParts {
	version: string;
	turns: TurnService;
	gate: TurnGate;
	responses: StoredResponses;
	storeKind(): Store["kind"];
	/** What is not as it should be. */
	problems(): readonly Problem[];
	accountOf(caller: Caller): Promise<CursorAccount> | CursorAccount;
	isClosing(): boolean;
}
