import type { Settings } from "../../config/settings.ts";
import { systemClock } from "../../time/clock.ts";
import { CensusKeeper } from "../../upstream/census/census-keeper.ts";
import { packageVersion } from "../../version.ts";

/** The census of unknown parts in what Cursor sends, kept in the data folder. */
export function openCensus({ dataDir }: Pick<Settings, "dataDir">): CensusKeeper {
	return new CensusKeeper({ dataDir, gatewayVersion: packageVersion(), clock: systemClock, now: Date.now });
}
