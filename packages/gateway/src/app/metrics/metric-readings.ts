import { statSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../../config/settings.ts";
import type { SpendGuard } from "../../guard/spend-guard.ts";
import type { Standing } from "../../guard/standings.ts";
import type { Reading, Readings } from "../../observe/metrics/registry.ts";
import type { Ladder } from "../../sessions/ladder.ts";
import { STORE_FILE } from "../../store/open-store.ts";
import type { GatewayStore } from "../../store/store.ts";
import type { TurnService } from "../../turns/turn-service.ts";
import type { CensusRow } from "../../upstream/census/tally.ts";
import type { KnownQuota, QuotaWatch } from "../../usage/quota-watch.ts";
import type { UpstreamSide, UpstreamStats } from "../upstream/upstream.ts";

export interface MetricSources {
	version: string;
	settings: Pick<Settings, "dataDir" | "redis" | "clientVersion">;
	turns: Pick<TurnService, "running">;
	ladder: Pick<Ladder, "parkedRuns">;
	store: Pick<GatewayStore, "status">;
	quota: Pick<QuotaWatch, "last">;
	guard: Pick<SpendGuard, "standings">;
	/** Spans that were not sent; undefined if none are made. */
	droppedSpans(): number | undefined;
	/** Undefined until the Cursor side is loaded. */
	upstream(): UpstreamSide | undefined;
}

/** What the parts of the gateway say at this moment. */
export function readMetrics(sources: MetricSources): Readings {
	const { version, settings, turns, ladder, store, quota, upstream } = sources;
	const side = upstream();
	const droppedSpans = sources.droppedSpans();
	const expiresAt = side?.loginExpiresAt();
	const wanted = settings.redis === "" ? "sqlite" : "redis";
	const bytes = wanted === "sqlite" ? fileBytes(settings.dataDir) : undefined;
	return {
		cursorwire_turns_in_flight: inFlight(turns.running(), ladder.parkedRuns),
		...(side && {
			cursorwire_upstream_connections: connections(side.stats()),
			cursorwire_upstream_unknown_total: unknownParts(side.news.census.rows()),
		}),
		...(bytes !== undefined && { cursorwire_store_bytes: [{ of: [wanted], value: bytes }] }),
		cursorwire_store_degraded: [{ of: [wanted], value: store.status().degraded === undefined ? 0 : 1 }],
		...(expiresAt !== undefined && {
			cursorwire_credential_expiry_timestamp_seconds: [{ value: expiresAt / 1000 }],
		}),
		...(quota.last && poolReadings(quota.last)),
		...(droppedSpans !== undefined && { cursorwire_traces_dropped_total: [{ value: droppedSpans }] }),
		cursorwire_build_info: [{ of: [version, process.versions.node, settings.clientVersion], value: 1 }],
	};
}

function inFlight(turns: ReturnType<TurnService["running"]>, parked: number): Reading[] {
	const count = (wanted: string) => turns.filter(({ state }) => state === wanted).length;
	const [connecting, retrying] = [count("connecting"), count("retrying")];
	return [
		{ of: ["connecting"], value: connecting },
		{ of: ["streaming"], value: turns.length - connecting - retrying },
		{ of: ["parked"], value: parked },
		{ of: ["retrying"], value: retrying },
	];
}

function connections({ http2, http1 }: UpstreamStats): Reading[] {
	return [
		{ of: ["h2", "open"], value: http2.sessions },
		{ of: ["h2", "connecting"], value: http2.connecting },
		{ of: ["h2", "streams"], value: http2.openStreams },
		{ of: ["h1", "open"], value: http1.connections },
		{ of: ["h1", "streams"], value: http1.openStreams },
	];
}

function poolReadings({ pools, resetsAt }: KnownQuota): Readings {
	const used = pools.flatMap(({ name, usedPercent }) =>
		usedPercent === undefined ? [] : [{ of: [name], value: usedPercent / 100 }],
	);
	const resets = resetsAt === undefined ? [] : pools.map(({ name }) => ({ of: [name], value: resetsAt / 1000 }));
	return { cursorwire_pool_used_ratio: used, cursorwire_pool_reset_timestamp_seconds: resets };
}

/** Limits that count each conversation by itself have no one figure. */
export function limitReadings(standings: readonly Standing[]): Readings {
	const known = standings.flatMap(({ limit, used }) =>
		used === undefined || limit.isPaused ? [] : [{ of: [limit.id], value: used / (limit.amount || 1) }],
	);
	return { cursorwire_limit_used_ratio: known };
}

/** Everything that can be unknown, also what was never seen, so that an alert sees the first one. */
const UNKNOWN = ["field", "enum", "frame", "exec", "query", "model"];

function unknownParts(rows: readonly CensusRow[]): Reading[] {
	return UNKNOWN.map((what) => ({
		of: [what],
		value: rows.reduce((sum, row) => sum + (unknownWhat(row) === what ? row.count : 0), 0),
	}));
}

/** Messages whose kinds have a name of their own. */
const KINDS: Readonly<Record<string, string>> = { ExecServerMessage: "exec", InteractionQuery: "query" };

function unknownWhat(row: CensusRow): string {
	if (row.what === "enum-value") return "enum";
	if (row.what === "kind") return KINDS[row.message.split(".").at(-1)!] ?? "frame";
	return row.what === "model" ? "model" : "field";
}

/** The database and its journal. */
function fileBytes(dataDir: string): number | undefined {
	const sizes = [STORE_FILE, `${STORE_FILE}-wal`].flatMap((name) => {
		const size = statSync(join(dataDir, name), { throwIfNoEntry: false })?.size;
		return size === undefined ? [] : [size];
	});
	return sizes.length > 0 ? sizes.reduce((sum, size) => sum + size, 0) : undefined;
}
