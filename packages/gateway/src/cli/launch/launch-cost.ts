import type { GatewayAddress } from "../../connect/gateway-client.ts";
import type { Spent } from "../../usage/spent.ts";
import { askGateway } from "../gateway/gateway-command.ts";

/** What `GET /v1/cursorwire/spent` answers. */
export interface LaunchCost extends Spent {
	under_way: number;
	pools: { name: string; used_percent: number | null }[];
}

const ASK_LIMIT_MS = 5_000;
/** Turns of a client that has gone end a moment later. */
const SETTLE_TRIES = 20;
const SETTLE_EVERY_MS = 100;

/** What was used so far. Undefined: the gateway cannot say. */
export async function askCost(gateway: GatewayAddress, since: number): Promise<LaunchCost | undefined> {
	try {
		const limit = AbortSignal.timeout(ASK_LIMIT_MS);
		return (await (await askGateway(gateway, `/v1/cursorwire/spent?since=${since}`, limit)).json()) as LaunchCost;
	} catch {
		return undefined;
	}
}

/** What was used in all, when the client has gone. */
export async function settledCost(gateway: GatewayAddress, since: number): Promise<LaunchCost | undefined> {
	for (let tries = 1; ; tries++) {
		const cost = await askCost(gateway, since);
		if (!cost || cost.under_way === 0 || tries === SETTLE_TRIES) return cost;
		await new Promise((wait) => setTimeout(wait, SETTLE_EVERY_MS));
	}
}

/** What a launch cost, in a few lines for people. `before`: how full the pools were when it began. */
export function costLines(cost: LaunchCost | undefined, before: LaunchCost["pools"]): string[] {
	if (!cost) return ["What this launch cost is not known: the gateway no longer responds."];
	const { refused } = cost;
	const refusals = refused > 0 ? [`A limit refused ${number(refused)} ${refused === 1 ? "request" : "requests"}.`] : [];
	if (cost.turns === 0) return ["This launch used nothing: no turn was made.", ...refusals];
	const failed = cost.errors > 0 ? ` (${number(cost.errors)} failed)` : "";
	const turns = `${number(cost.turns)} ${cost.turns === 1 ? "turn" : "turns"}${failed}`;
	const read = `${number(cost.input_tokens)} tokens in${share(cost.cached_tokens, "cached")}`;
	const written = `${number(cost.output_tokens)} out${share(cost.reasoning_tokens, "reasoning")}`;
	const wait = `the longest wait was ${(cost.longest_wait_ms / 1000).toFixed(1)} s`;
	return [`This launch cost ${turns}, ${read}, ${written}; ${wait}.`, ...refusals, planLine(cost.pools, before)];
}

function planLine(pools: LaunchCost["pools"], before: LaunchCost["pools"]): string {
	const known = pools.flatMap(({ name, used_percent: now }) => {
		const then = before.find((pool) => pool.name === name)?.used_percent ?? null;
		return now === null || then === null ? [] : [{ name, then, now }];
	});
	if (known.length === 0) return "Cursor does not say how much of the plan is used.";
	const late = "by Cursor's figures, which come late and count your other devices too";
	const moved = known.filter(({ then, now }) => now !== then);
	if (moved.length === 0) return `No more of the plan is used than before, ${late}.`;
	const steps = moved.map(
		({ name, then, now }) =>
			`${percent(now - then) === percent(0) ? "less than 0.01 %" : percent(now - then)} of its ${name} pool, now at ${percent(now)}`,
	);
	return `Of the plan it used ${steps.join(", and ")}, ${late}.`;
}

const share = (tokens: number, what: string): string => (tokens > 0 ? ` (${number(tokens)} of them ${what})` : "");
const number = (value: number): string => value.toLocaleString("en-US");
const percent = (value: number): string => `${Math.round(value * 100) / 100} %`;
