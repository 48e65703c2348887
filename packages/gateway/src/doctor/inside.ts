import type { UpstreamSide } from "../app/upstream/upstream.ts";
import { type LoadedSettings, loadSettings, type Settings } from "../config/settings.ts";
import { statusOf } from "../credentials/login/login-status.ts";
import { openCredentialStore } from "../credentials/open-account.ts";
import { PROBLEMS, type Problem } from "../observe/problem.ts";
import { GatewayError } from "../turn/error.ts";
import type { Check, DoctorContext } from "./check.ts";
import { login, models, quota, vault } from "./checks/account.ts";
import { calibration } from "./checks/calibration.ts";
import { drift, judgeBreaker, versions } from "./checks/gateway.ts";
import { folder, node } from "./checks/machine.ts";
import { type Diagnosis, runDoctor } from "./run-doctor.ts";
import { ok, type Verdict, warning } from "./verdict.ts";

/** What a gateway knows of itself. */
export interface InsideFacts {
	version: string;
	/** As the gateway runs with them. */
	settings: Settings;
	upstream(): Promise<UpstreamSide>;
	problems(): readonly Problem[];
	/** Milliseconds since 1970. */
	now(): number;
}

/**
 * The checks that make sense inside a running gateway. Connections are not checked: the gateway has some, and the
 * breaker says how they are. No model is asked.
 */
export function examineInside(facts: InsideFacts): Promise<Diagnosis> {
	return runDoctor(contextOf(facts), {
		checks: checksOf(facts),
		spend: false,
		explain: (error) => (error instanceof GatewayError ? error.fullMessage : (error as Error).message),
		found() {},
	});
}

function checksOf({ problems, upstream }: InsideFacts): Check[] {
	const gateway: Check = { id: "gateway", title: "Gateway", run: async () => judgeInside(problems()) };
	const breaker: Check = {
		id: "breaker",
		title: "Breaker",
		after: ["login"],
		run: async () => judgeBreaker((await (await upstream()).ownAccount()).health()),
	};
	return [node, folder, vault, login, models, quota, calibration, gateway, breaker, versions, drift];
}

function judgeInside(problems: readonly Problem[]): Verdict {
	if (problems.length === 0) return ok("running");
	const known = [...new Set(problems.map(({ name }) => name))].map((name) => PROBLEMS[name]);
	return warning(
		`running, but ${known.map(({ meaning }) => meaning).join("; ")}`,
		known.map(({ next }) => next).join(" "),
	);
}

function contextOf({ version, settings, upstream, now }: InsideFacts): DoctorContext {
	const unused = () => {
		throw new Error("This check is not for a running gateway.");
	};
	return {
		loaded: () => loadedAs(settings),
		settings: () => settings,
		connect: unused,
		openUpstream: unused,
		gateway: () => undefined,
		upstream,
		login: async () => {
			const { transport } = await upstream();
			return statusOf(settings, await openCredentialStore(settings, { transport }));
		},
		version,
		now,
		news: async () => (await upstream()).news.all(),
		signal: new AbortController().signal,
	};
}

/** The settings of the gateway with their sources. What differs from file and environment came from a flag. */
export function loadedAs(settings: Settings): LoadedSettings {
	const loaded = loadSettings();
	const sources = { ...loaded.sources };
	for (const name of Object.keys(sources) as (keyof typeof sources)[]) {
		if (JSON.stringify(settings[name]) !== JSON.stringify(loaded.settings[name])) sources[name] = "flag";
	}
	return { ...loaded, settings, sources };
}
