import type { AdmittedCaller } from "../access/caller.ts";
import type { Problem } from "../observe/problem.ts";
import type { Handler } from "../server/server.ts";
import type { Store } from "../store/store.ts";
import type { TurnEndpointParts } from "../turns/turn-endpoint.ts";
import type { StoredResponses } from "./stored-responses.ts";

/** A request as handlers get it. */
export type ApiRequest = Parameters<Handler<AdmittedCaller>>[0];

/** What the routes are made from. */
export interface ApiParts extends Omit<TurnEndpointParts, "storedOf"> {
	version: string;
	responses: StoredResponses;
	storeKind(): Store["kind"];
	/** What is currently wrong, for `/healthz`. */
	problems(): readonly Problem[];
}
