import type { Settings } from "../config/settings.ts";
import { CensusKeeper } from "../upstream/census/census-keeper.ts";
import { packageVersion } from "../version.ts";
import { type Clock, systemClock } from "../wire/clock.ts";

/** What is new in what Cursor sends, kept in the data folder. */
export function openNews({ dataDir }: Pick<Settings, "dataDir">, clock: Clock = systemClock): CensusKeeper {
	return new CensusKeeper({ dataDir, gatewayVersion: packageVersion(), clock, now: Date.now });
}
