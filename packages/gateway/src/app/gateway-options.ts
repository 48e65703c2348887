import type { PassingKey } from "../access/passing-keys.ts";
import type { FactStream } from "../observe/facts.ts";
import type { Logger } from "../observe/log.ts";
import type { ParkedLimits } from "../sessions/parked-runs.ts";
import type { Clock } from "../time/clock.ts";
import type { HealthLimits } from "../upstream/health/host-health.ts";
import type { RunLimits } from "../upstream/run/run-limits.ts";
import type { KeyPlace } from "./open-keys.ts";

/** What a gateway is given besides its settings. */
export interface GatewayOptions {
	version: string;
	runLimits?: Partial<RunLimits>;
	/** When the breaker leaves a failing host alone, and for how long. */
	health?: Partial<HealthLimits>;
	/** How many runs may wait for tool results, and for how long. */
	parked?: Partial<ParkedLimits>;
	/** It stands before the emulator. */
	isDemo?: boolean;
	/** Where keys and limits are kept, if not with everything else. The caller closes the store. */
	keys?: KeyPlace;
	/** Keys that are valid while this gateway runs, and are kept nowhere. */
	passingKeys?: readonly PassingKey[];
	log?: Logger;
	/** Default: a stream of its own. */
	facts?: FactStream;
	/** The variables of OpenTelemetry, which say where spans and metrics are sent. Default: nowhere. */
	env?: Readonly<Record<string, string | undefined>>;
	/** Default: real time. */
	clock?: Clock;
}
