import { GatewayError } from "../turn/error.ts";
import { spentBy } from "../usage/spent.ts";
import type { ApiParts } from "./api-parts.ts";
import { json, queryOf } from "./json-handler.ts";

/** `GET /v1/cursorwire/spent?since=…`: what the key of the request used, and how full the pools are after its last turn. */
export function spent({ ledger, quota }: ApiParts) {
	return json(async (requested) => {
		const { caller } = requested;
		const used = await spentBy(caller.id, momentOf(queryOf(requested).since), ledger);
		return { object: "spent", ...used, pools: caller.kind === "credential" ? [] : await poolsAfter(used.last_turn_at) };
	});

	/** Empty where Cursor cannot be asked. */
	async function poolsAfter(at: number | null) {
		const { pools } = await quota.read(at ?? undefined).catch(() => ({ pools: [] }));
		return pools.map(({ name, usedPercent }) => ({ name, used_percent: usedPercent ?? null }));
	}
}

function momentOf(text: string | undefined): number {
	if (text === undefined) return 0;
	if (/^\d{1,15}$/.test(text)) return Number(text);
	throw new GatewayError("invalid-request", "since is a number of milliseconds since 1970.");
}
