import type { FoundGateway } from "../../app/discovery.ts";
import type { SettingSource } from "../../config/settings.ts";
import {
	type GatewayAddress,
	listGatewayModels,
	type UpstreamStatus,
	upstreamStatus,
} from "../../connect/gateway-client.ts";
import { PROBLEMS, type ProblemName } from "../../observe/problem.ts";
import { describeNews } from "../../upstream/census/describe.ts";
import type { CensusRow } from "../../upstream/census/tally.ts";
import type { Check } from "../check.ts";
import { failure, ok, type Verdict, warning } from "../verdict.ts";

const LIMIT_MS = 5_000;

/** What `GET /healthz` said, or what went wrong. */
export type Health = { status: string; version: string; store: string; degraded?: string[] } | Error;

export function judgeGateway(
	gateway: FoundGateway | undefined,
	health: Health | undefined,
	keyProblem?: Error,
): Verdict {
	if (!gateway || health === undefined) return warning("none is running", "Start it with `cursorwire serve`.");
	if (health instanceof Error) {
		return failure(
			`${gateway.url} does not respond (${health.message})`,
			"End that process and run `cursorwire serve`.",
		);
	}
	if (keyProblem) return failure(`${gateway.url}: ${keyProblem.message}`, "Look at the gateway's own log.");
	const text = `${gateway.url} (${gateway.mode}), process ${gateway.pid}, ${health.status}`;
	if (health.status === "ok") return ok(text);
	const [meanings, steps] = explain(health.degraded ?? []);
	return warning(`${text}: ${meanings.join("; ")}`, steps.join(" "));
}

/** A gateway of another version may know other problems. */
function explain(names: readonly string[]): [meanings: string[], steps: string[]] {
	const known = names.flatMap((name) => (Object.hasOwn(PROBLEMS, name) ? [PROBLEMS[name as ProblemName]] : []));
	if (known.length === 0) return [[names.join(", ") || "it does not say why"], ["Look at its log."]];
	return [known.map(({ meaning }) => meaning), known.map(({ next }) => next)];
}

export const gateway: Check = {
	id: "gateway",
	title: "Gateway",
	after: ["config"],
	async run(context) {
		const found = context.gateway();
		if (!found) return judgeGateway(undefined, undefined);
		const health = await healthOf(found.url);
		const address: GatewayAddress | undefined =
			found.key === undefined ? undefined : { url: found.url, key: found.key };
		const problem =
			health instanceof Error || !address
				? undefined
				: await listGatewayModels(address, context.signal).then(
						() => undefined,
						(error: Error) => error,
					);
		return judgeGateway(found, health, problem);
	},
};

export function judgeBreaker(hosts: readonly UpstreamStatus[] | undefined): Verdict {
	if (!hosts) return ok("unknown: no gateway is running, or its key is not known here");
	const [paused] = hosts.filter(({ state }) => state !== "closed");
	if (!paused) return ok("closed: the gateway lets requests through to Cursor");
	const { host, state, lastFailure = "no reason is known", retryInSeconds } = paused;
	const when = retryInSeconds === undefined ? "with the next request" : `in ${retryInSeconds} s`;
	const doing = state === "open" ? `tries again ${when}` : "is trying again";
	return warning(
		`${state}: ${host} keeps failing, so the gateway refuses requests and ${doing}. Last failure: ${lastFailure}`,
		"Fix what fails in the checks above, or wait; the gateway recovers on its own when Cursor responds.",
	);
}

export const breaker: Check = {
	id: "breaker",
	title: "Breaker",
	after: ["gateway"],
	async run(context) {
		const found = context.gateway();
		const key = found?.key ?? (context.settings().key || undefined);
		if (!found || (key === undefined && found.auth !== "none")) return judgeBreaker(undefined);
		return judgeBreaker(await upstreamStatus({ url: found.url, key: key ?? "none" }, context.signal));
	},
};

async function healthOf(url: string): Promise<Health> {
	try {
		const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(LIMIT_MS) });
		return (await response.json()) as Health;
	} catch (error) {
		return error as Error;
	}
}

const VERSION_ORIGINS: Partial<Record<SettingSource, string>> = {
	installed: " like the Cursor CLI on this machine",
	table: " by the table of client versions",
};

export interface VersionFacts {
	own: string;
	/** The running gateway's version. */
	running: string | undefined;
	clientVersion: string;
	from: SettingSource;
}

export function judgeVersions({ own, running, clientVersion, from }: VersionFacts): Verdict {
	const text = `cursorwire ${own}, presented to Cursor as ${clientVersion}${VERSION_ORIGINS[from] ?? ""}`;
	if (running === undefined || running === own) return ok(text);
	return warning(`${text}; the running gateway is ${running}`, "Restart it, so that both have the same version.");
}

export const versions: Check = {
	id: "versions",
	title: "Versions",
	after: ["config"],
	async run(context) {
		const { settings, sources } = context.loaded();
		return judgeVersions({
			own: context.version,
			running: context.gateway()?.version,
			clientVersion: settings.clientVersion,
			from: sources.clientVersion,
		});
	},
};

const MOST_NAMED = 5;

/** Models come and go: a new one is not drift. */
export function judgeDrift(rows: readonly CensusRow[], clientVersions: readonly string[]): Verdict {
	const news = rows.filter(({ what, clientVersion }) => what !== "model" && clientVersions.includes(clientVersion));
	if (news.length === 0) return ok("Cursor has sent nothing unknown");
	const named = news.slice(0, MOST_NAMED).map((row) => `${describeNews(row)} ×${row.count}`);
	if (news.length > MOST_NAMED) named.push(`and ${news.length - MOST_NAMED} more`);
	return warning(
		`Cursor sends what this version does not know: ${named.join("; ")}`,
		"Update cursorwire; if it is the newest, report what `cursorwire drift --report drift.json` writes.",
	);
}

export const drift: Check = {
	id: "drift",
	title: "Drift",
	after: ["config"],
	async run(context) {
		const { clientVersion, chatClientVersion } = context.settings();
		return judgeDrift(await context.news(), [clientVersion, chatClientVersion]);
	},
};
