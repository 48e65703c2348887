import type { LoginStatus } from "../../credentials/login/login-status.ts";
import type { GatewayError } from "../../turn/error.ts";
import { emptyRequest } from "../../turn/request.ts";
import type { AccountQuota } from "../../upstream/account/quota.ts";
import type { CatalogSnapshot } from "../../upstream/catalog/catalog.ts";
import type { Check, DoctorContext } from "../check.ts";
import { failure, ok, type Verdict, warning } from "../verdict.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export function judgeVault({ vault, path, source, notes, signedIn }: LoginStatus): Verdict {
	if (source === "environment") return ok("not used: CURSOR_API_KEY overrides it");
	const place = path ?? `the system's ${vault}`;
	const [note] = signedIn ? notes : [];
	return ok(note === undefined ? place : `${place} (${note})`);
}

export const vault: Check = {
	id: "vault",
	title: "Vault",
	after: ["config", "folder", "trust"],
	run: async (context) => judgeVault(await context.login()),
};

export function judgeLogin(login: LoginStatus, now: number): Verdict {
	const { signedIn, upstream, expiresAt, renewable, problem } = login;
	if (!signedIn) {
		return failure(problem?.message ?? `signed out of ${upstream}`, problem?.nextStep ?? "Run `cursorwire login`.");
	}
	if (expiresAt === undefined) return ok(`signed in to ${upstream}, the token is fetched when it is needed`);
	const left = Date.parse(expiresAt) - now;
	if (renewable) return ok(`signed in to ${upstream}, token valid for ${duration(left)}, then renewed automatically`);
	const text = `session token valid for ${duration(left)}, and cannot be renewed`;
	return left < DAY ? warning(text, "Run `cursorwire login` for a login that can be renewed.") : ok(text);
}

export const login: Check = {
	id: "login",
	title: "Login",
	after: ["vault"],
	run: async (context) => judgeLogin(await context.login(), context.now()),
};

function duration(ms: number): string {
	if (ms <= 0) return "no time";
	if (ms < 2 * HOUR) return `${Math.ceil(ms / 60_000)} minutes`;
	return ms < 2 * DAY ? `${Math.floor(ms / HOUR)} hours` : `${Math.floor(ms / DAY)} days`;
}

export function judgeModels({ models, stale, problem, fetchedAt }: CatalogSnapshot): Verdict {
	if (models.length === 0) return failure("Cursor lists no models", "Check the plan of the account on cursor.com.");
	if (!stale) return ok(`${models.length} models`);
	const reason = problem ? `: ${problem.message}` : "";
	return warning(
		`${models.length} models, as of ${fetchedAt.toISOString()}${reason}`,
		problem?.nextStep ?? "Run `cursorwire models --refresh`.",
	);
}

export const models: Check = {
	id: "models",
	title: "Models",
	after: ["tls", "login"],
	run: async (context) => judgeModels(await (await factsOf(context)).catalog.refresh()),
};

export function judgeQuota({ plan, pools, resetsAt }: AccountQuota): Verdict {
	const known = pools.filter(({ usedPercent }) => usedPercent !== undefined);
	if (known.length === 0) return ok(`${plan ?? "plan unknown"}; Cursor reports no included usage`);
	const list = known.map(({ name, usedPercent }) => `${name} ${Math.floor(usedPercent!)}% used`).join(", ");
	const text = `${plan ?? "plan unknown"}: ${list}${resetsAt ? `, until ${resetsAt.toISOString().slice(0, 10)}` : ""}`;
	const most = Math.max(...known.map(({ usedPercent }) => usedPercent!));
	const next = "Run `cursorwire usage`; a model of the other pool may still have room.";
	return most >= 90 ? warning(text, next) : ok(text);
}

export const quota: Check = {
	id: "quota",
	title: "Quota",
	after: ["tls", "login"],
	run: async (context) => judgeQuota(await (await factsOf(context)).usage()),
};

async function factsOf(context: DoctorContext) {
	const upstream = await context.upstream();
	return (await upstream.ownAccount()).facts;
}

/** One short question over one HTTP version. */
async function askOver(context: DoctorContext, version: "HTTP/2" | "HTTP/1.1"): Promise<Verdict> {
	const isHttp1 = version === "HTTP/1.1";
	const upstream = await context.openUpstream({ http1: isHttp1 }, { http2Only: !isHttp1 });
	try {
		const account = await upstream.ownAccount();
		const request = emptyRequest("auto");
		request.messages = [{ role: "user", content: [{ type: "text", text: "Reply with the word ok." }] }];
		const { run } = await account.prepareRun(request, { conversationId: crypto.randomUUID() }, {});
		const began = context.now();
		await new Promise<void>((resolve, reject) => {
			context.signal.addEventListener("abort", () => run.cancel(), { once: true });
			run.open({
				events: (batch) => batch.at(-1)?.type === "turn-end" && resolve(),
				failed: reject,
			});
		});
		return ok(`a run over ${version} got a reply in ${((context.now() - began) / 1000).toFixed(1)} s`);
	} catch (error) {
		return judgeRunFailure(version, error as RunError);
	} finally {
		await upstream.close();
	}
}

type RunError = Error & Partial<Pick<GatewayError, "nextStep" | "detail" | "kind">>;

export function judgeRunFailure(version: string, error: RunError): Verdict {
	const text = [`no run over ${version}: ${error.message}`, error.detail].filter(Boolean).join(" ");
	if (version === "HTTP/2") {
		return warning(text, "Runs fall back to HTTP/1.1 automatically. If that works, set CURSORWIRE_HTTP1=1.");
	}
	return { ...failure(text, error.nextStep ?? "Try again."), ...(error.kind && { kind: error.kind }) };
}

export const runs: Check[] = (["HTTP/2", "HTTP/1.1"] as const).map((version) => ({
	id: version === "HTTP/2" ? "run-http2" : "run-http1",
	title: `${version} run`,
	after: ["tls", "login"],
	spends: true,
	run: (context) => askOver(context, version),
}));
