import type { Finding } from "../../doctor/run-doctor.ts";
import { asStarted } from "../../text/as-started.ts";
import { NEWS, placeOf } from "../../upstream/census/describe.ts";
import type { CensusRow } from "../../upstream/census/tally.ts";
import type { HealthReport } from "../../upstream/health/host-health.ts";
import type { HealthAnswer } from "../contract.ts";
import type { PageDataParts } from "./parts.ts";

/** How long the doctor's findings are shown before they are made again. */
export const FINDINGS_FRESH_MS = 60_000;

const STATUSES = { ok: "ok", warning: "warning", failure: "error" } as const;

/** `GET /page/api/health`. `findings`: of the doctor. */
export async function readHealth(
	{ news, ownAccount }: Pick<PageDataParts, "news" | "ownAccount">,
	findings: () => Promise<readonly Finding[]>,
): Promise<HealthAnswer> {
	const found = await findings();
	return healthAnswer(found, await news(), await hostsOf(ownAccount));
}

/** Empty where there is no account to speak of: that is no reason not to show the rest. */
async function hostsOf(ownAccount: PageDataParts["ownAccount"]): Promise<HealthReport[]> {
	try {
		return (await ownAccount()).health();
	} catch {
		return [];
	}
}

export function healthAnswer(
	findings: readonly Finding[],
	news: readonly CensusRow[],
	hosts: readonly Pick<HealthReport, "host" | "state">[],
): HealthAnswer {
	return {
		findings: findings.map(({ title, status, text, next }) => ({
			name: title,
			status: STATUSES[status],
			message: asStarted(text),
			...(next !== undefined && { nextStep: asStarted(next) }),
		})),
		drift: news.map((row) => ({
			what: NEWS[row.what],
			name: placeOf(row),
			count: row.count,
			since: row.firstSeen,
			version: row.clientVersion,
		})),
		hosts: hosts.map(({ host, state }) => ({ host, state })),
	};
}
