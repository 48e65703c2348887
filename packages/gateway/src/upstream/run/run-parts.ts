import type { Clock } from "../../time/clock.ts";
import type { Soon } from "../../time/soon.ts";
import type { GatewayError } from "../../turn/error.ts";
import type { AnsweringModel } from "../catalog/answering-model.ts";
import type { HealthRegister } from "../health/health-register.ts";
import type { HostAttempt } from "../health/host-health.ts";
import type { Driver, MachineServices, ProtocolName, RunPlan, WireModel } from "../protocols/driver.ts";
import type { Observe } from "./observe.ts";
import type { Pulse } from "./pulse.ts";
import type { RunLimits } from "./run-limits.ts";
import type { RunRecorder } from "./run-tape.ts";

// What a run is made of.

/** As whom and where a run is opened. */
export interface RunAccount {
	/** Keeps the connections of accounts apart. */
	key: string;
	/** The host that serves runs of a protocol. */
	origin(protocol: ProtocolName): URL;
	http: "http1" | "http2" | undefined;
	/** All headers of a run, the token among them. A request id is new for every attempt, the original one is not. */
	headers(protocol: ProtocolName, requestId: string, originalRequestId: string): Soon<Record<string, string>>;
	/** The token of the last `headers` was refused; resolves when another one is there. */
	tokenRefused(): Promise<void>;
}

export interface RunServices extends Omit<MachineServices, "observe"> {
	/** Whether Cursor may search the web on its own servers where a client wants it. */
	approveWeb: boolean;
	observe?: Observe | undefined;
	clock: Clock;
	pulse: Pulse;
	limits: RunLimits;
	/** Says whether a host may be asked, and hears what came of it. */
	health: HealthRegister;
	/** Between 0 and 1. */
	random(): number;
	/** Records every run, if the user wants that. */
	recorder?: RunRecorder | undefined;
}

export interface RunRequest {
	plan: RunPlan;
	/** The model that replies, as the client knows it. */
	answering: AnsweringModel;
	/** Another name of the model, tried once if Cursor does not know the first. */
	otherSpelling?: WireModel;
	/** The protocol to speak, then those to try in turn where the host does not serve the one before. */
	drivers: readonly [Driver, ...Driver[]];
	/** The first attempt at the host, if its breaker was asked already. */
	attempt?: HostAttempt;
	/** Adds what is known here about an error, for the client. `protocol`: the one that was spoken. */
	explain?(error: GatewayError, protocol: ProtocolName): GatewayError;
}
