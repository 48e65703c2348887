import type { AdmittedCaller } from "../access/caller.ts";
import { asStarted } from "../text/as-started.ts";
import { freshFor } from "../time/fresh.ts";
import { GatewayError } from "../turn/error.ts";
import type { KnownQuota, QuotaWatch } from "../usage/quota-watch.ts";
import { spansAt } from "../usage/spans.ts";
import { type UsageFacts, usageAnswer } from "../usage/usage-answer.ts";
import type { ApiParts } from "./api-parts.ts";
import { json } from "./json-handler.ts";

const FRESH_MS = 2_000;
/** A status line may ask as often as it likes; nothing between it and the gateway may keep the answer longer. */
const HEADERS = { "cache-control": `private, max-age=${FRESH_MS / 1_000}` };

/** `GET /v1/usage`: for status lines and agents. A key sees its own use, the owner sees everybody's. */
export function usage(parts: ApiParts) {
	const facts = freshFor(FRESH_MS, () => usageFacts(parts));
	return json(async ({ caller }) => {
		const isOwner = parts.isOwner(caller);
		const known = await facts();
		const quota = quotaFor(caller, known.quota);
		const { keyId } = caller;
		return usageAnswer({ caller: caller.id, name: caller.name, keyId, isOwner }, { ...known, quota });
	}, HEADERS);
}

/** The pools are those of the gateway's own account. */
function quotaFor(caller: AdmittedCaller, quota: UsageFacts["quota"]): UsageFacts["quota"] {
	return caller.kind === "credential" ? "Your turns run on your own Cursor account; ask Cursor about it." : quota;
}

async function usageFacts({ usageSince, keys, quota, guard }: ApiParts): Promise<UsageFacts> {
	const known = await readQuota(quota);
	const spans = spansAt(Date.now(), typeof known === "string" ? quota.last : known);
	return {
		spans,
		totals: {
			today: await usageSince(spans.today),
			week: await usageSince(spans.week),
			period: await usageSince(spans.period),
		},
		keys: await keys(),
		standings: await guard.standings(),
		quota: known,
	};
}

/** Or why Cursor cannot be asked. */
async function readQuota(quota: Pick<QuotaWatch, "read">): Promise<KnownQuota | string> {
	try {
		return await quota.read();
	} catch (error) {
		return error instanceof GatewayError ? error.fullMessage : asStarted((error as Error).message);
	}
}
