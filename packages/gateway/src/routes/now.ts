import { callerOfKey } from "../access/caller.ts";
import { maskSecrets } from "../text/mask-secrets.ts";
import { freshFor } from "../time/fresh.ts";
import type { HealthReport } from "../upstream/health/host-health.ts";
import type { ApiParts, ApiRequest } from "./api-parts.ts";
import { json } from "./json-handler.ts";
import { requireOwner } from "./owner.ts";

const TOTALS_FRESH_MS = 5_000;
const LONGEST_NAME = 256;

/** What runs at this moment, for the owner: turns under way, runs that wait for tools, today's totals, Cursor's health. */
export function now(parts: ApiParts) {
	const today = freshFor(TOTALS_FRESH_MS, () => totalsOfToday(parts));
	return json(async (requested) => {
		requireOwner(requested, parts);
		const names = new Map((await parts.keys()).map((key) => [callerOfKey(key).id, key.name]));
		return {
			version: parts.version,
			turns: parts.turns.running().map((turn) => ({ ...turn, model: nameOf(turn.model) })),
			parked: parts.waiting().map(({ caller, model, tools, waitedMs }) => ({
				...(names.has(caller) && { key: names.get(caller) }),
				model: nameOf(model),
				tools: tools.map(nameOf),
				waitedMs,
			})),
			today: await today(),
			upstream: await healthOf(parts, requested),
		};
	});
}

const nameOf = (name: string): string => maskSecrets(name.slice(0, LONGEST_NAME));

async function totalsOfToday({ usageSince }: ApiParts) {
	const totals = { turns: 0, errors: 0, inputTokens: 0, outputTokens: 0 };
	for (const { requests, failures, inputTokens, outputTokens } of await usageSince(new Date().setHours(0, 0, 0, 0))) {
		totals.turns += requests;
		totals.errors += failures;
		totals.inputTokens += inputTokens;
		totals.outputTokens += outputTokens;
	}
	return totals;
}

/** Empty where there is no account to speak of: that is no reason not to show the rest. */
async function healthOf({ accountOf }: ApiParts, { caller }: ApiRequest): Promise<HealthReport[]> {
	try {
		return (await accountOf(caller)).health();
	} catch {
		return [];
	}
}
