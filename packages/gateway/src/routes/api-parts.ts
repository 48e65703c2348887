import type { AdmittedCaller } from "../access/caller.ts";
import type { Family } from "../observe/metrics/registry.ts";
import type { Problem } from "../observe/problem.ts";
import type { Handler } from "../server/exchange.ts";
import type { WaitingRun } from "../sessions/waiting-runs.ts";
import type { LedgerReads } from "../store/ledger-reads.ts";
import type { Store, StoredKey } from "../store/store.ts";
import type { TurnEndpointParts } from "../turns/turn-endpoint.ts";
import type { QuotaWatch } from "../usage/quota-watch.ts";
import type { LogReaders } from "./log-readers.ts";
import type { StoredResponses } from "./stored-responses.ts";

/** A request as handlers get it. */
export type ApiRequest = Parameters<Handler<AdmittedCaller>>[0];

/** What the routes are made from. */
export interface ApiParts extends Omit<TurnEndpointParts, "storedOf"> {
	version: string;
	responses: StoredResponses;
	storeKind(): Store["kind"];
	/** It was told to stop: from here on nobody should choose it. */
	isLeaving(): boolean;
	/** What is currently wrong, for `/healthz`. */
	problems(): readonly Problem[];
	/** Whether a caller is the owner, who may see what others do. */
	isOwner(caller: AdmittedCaller): boolean;
	logReaders: LogReaders;
	/** Runs that wait for tool results. */
	waiting(): readonly WaitingRun[];
	keys(): Promise<readonly StoredKey[]>;
	usageSince: Store["usageSince"];
	ledger: Pick<LedgerReads, "findRows">;
	/** All metrics, with what is read at this moment. */
	metrics(): Promise<readonly Family[]>;
	/** Of the gateway's own account. */
	quota: Pick<QuotaWatch, "read" | "last">;
}
