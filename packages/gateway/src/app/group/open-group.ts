import { randomUUID } from "node:crypto";
import type { Settings } from "../../config/settings.ts";
import type { GatewayGroup } from "../../group/gateway-group.ts";
import { KEPT_MS } from "../../sessions/answered-calls.ts";
import type { Ladder } from "../../sessions/ladder.ts";
import type { ParkedLimits } from "../../sessions/parked-runs.ts";
import type { Clock } from "../../time/clock.ts";
import type { TurnService } from "../../turns/turn-service.ts";
import { readTrust } from "../../wire/connect/trust.ts";

export interface GroupParts {
	ladder: Ladder;
	turns: TurnService;
	parked: ParkedLimits;
	clock: Clock;
	warn(what: string, error: unknown): void;
}

/**
 * The gateways that share a Redis, to be joined when this one has started. Undefined without a Redis: then nothing of a
 * group is even loaded.
 */
export async function openGroup(
	{ redis: url, caFile }: Settings,
	{ ladder, turns, parked, clock, warn }: GroupParts,
): Promise<GatewayGroup | undefined> {
	if (url === "") return undefined;
	const { GatewayGroup } = await import("../../group/gateway-group.ts");
	const ca = caFile ? await readTrust(caFile) : undefined;
	const runTtlMs = parked.deadlineMs + KEPT_MS;
	const parts = { clock, time: Date.now, newId: randomUUID, runTtlMs, warn };
	const group = new GatewayGroup({ url, ...(ca && { ca }), ...parts }, ladder.desk);
	ladder.joins(group);
	turns.shares(group);
	return group;
}
