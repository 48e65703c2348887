import { expect, it } from "vitest";
import type { LoginStatus } from "../credentials/login/login-status.ts";
import type { CensusRow } from "../upstream/census/tally.ts";
import { judgeLogin, judgeModels, judgeQuota, judgeRunFailure, judgeVault } from "./checks/account.ts";
import { judgeBreaker, judgeDrift, judgeGateway, judgeVersions } from "./checks/gateway.ts";
import { judgeConfig, judgeFolder, judgeNode } from "./checks/machine.ts";
import { judgeClock, judgeConnectFailure, judgeHandshake, judgeLookup } from "./checks/network.ts";
import type { Verdict } from "./verdict.ts";

const NOW = Date.parse("2026-11-15T12:00:00Z");
const LOGIN: LoginStatus = {
	signedIn: true,
	upstream: "https://u",
	source: "vault",
	vault: "file",
	path: "/v",
	notes: [],
};
const GATEWAY = {
	url: "http://127.0.0.1:4280",
	pid: 7,
	version: "1",
	startedAt: "",
	mode: "serve",
	auth: "key-file",
	key: "cw_k",
} as const;
const pools = (auto: number, api: number) => ({
	plan: "Pro",
	email: undefined,
	pools: [
		{ name: "auto" as const, usedPercent: auto },
		{ name: "api" as const, usedPercent: api },
	],
	resetsAt: new Date(NOW),
	message: undefined,
	autoModels: [],
});
const news = (changes: object): CensusRow =>
	({
		what: "field",
		wireType: "varint",
		clientVersion: "v",
		count: 3,
		firstSeen: NOW,
		lastSeen: NOW,
		...changes,
	}) as CensusRow;
const coded = (code: string, message = "m") => Object.assign(new Error(message), { code });
const catalog = (count: number, stale = false) => ({
	models: Array.from({ length: count }) as never[],
	stale,
	fetchedAt: new Date(NOW),
	problem: undefined,
});

it.each<[verdict: Verdict, status: Verdict["status"], text: RegExp, next?: RegExp]>([
	[judgeNode("20.19.0"), "ok", /20\.19/],
	[judgeNode("20.18.3"), "failure", /too old/, /20\.19 or newer/],
	[judgeNode("18.20.8"), "failure", /too old/, /nodejs\.org/],
	[judgeNode("23.1.0"), "warning", /gets fixes only/, /even/],
	[judgeNode("24.0.0"), "ok", /24/],
	[judgeConfig({ file: "/c", exists: true, changed: ["port from the file"] }), "ok", /^\/c; port from the file$/],
	[judgeFolder({ path: "/d", exists: true, writable: true, mode: 0o40700 }), "ok", /^\/d$/],
	[judgeFolder({ path: "/d", exists: true, writable: true, mode: 0o40777 }), "warning", /other users/, /chmod 700/],
	[judgeFolder({ path: "/d", exists: true, writable: false }), "failure", /cannot be written/, /CURSORWIRE_DATA_DIR/],
	[
		judgeFolder({ path: "/d", exists: true, writable: true, file: "/d" }),
		"failure",
		/not a folder/,
		/CURSORWIRE_DATA_DIR/,
	],
	[judgeFolder({ path: "/d", exists: false, writable: true, missingHome: "/h" }), "failure", /\/h does not/, /HOME/],
	[judgeVault({ ...LOGIN, notes: ["No keychain."] }), "ok", /\/v \(No keychain\.\)/],
	[judgeVault({ ...LOGIN, source: "environment" }), "ok", /CURSOR_API_KEY/],
	[
		judgeLogin({ ...LOGIN, signedIn: false, problem: { message: "Locked.", nextStep: "Unlock it." } }, NOW),
		"failure",
		/^Locked\.$/,
		/^Unlock it\.$/,
	],
	[judgeLogin({ ...LOGIN, renewable: true, expiresAt: "2026-11-15T12:30:00Z" }, NOW), "ok", /30 minutes, then renewed/],
	[judgeLogin({ ...LOGIN, renewable: false, expiresAt: "2026-11-15T20:00:00Z" }, NOW), "warning", /8 hours/, /login/],
	[judgeLogin({ ...LOGIN, renewable: false, expiresAt: "2026-12-15T20:00:00Z" }, NOW), "ok", /30 days/],
	[judgeLookup("h", false, [{ address: "1.2.3.4" }]), "ok", /^h is 1\.2\.3\.4$/],
	[judgeLookup("h", true, coded("ENOTFOUND")), "failure", /proxy h is not found/, /name server/],
	[judgeHandshake({ origin: "https://h", isSecure: true, alpn: "h2", protocol: "TLSv1.3" }), "ok", /HTTP\/2 offered/],
	[
		judgeHandshake({ origin: "https://h", isSecure: true, protocol: "TLSv1.2" }),
		"warning",
		/no HTTP\/2 \(ALPN: none\)/,
		/HTTP1=1/,
	],
	[judgeHandshake({ origin: "http://h", isSecure: false }), "ok", /no TLS/],
	[judgeConnectFailure("https://h", coded("tls", "self-signed")), "failure", /self-signed/, /CURSORWIRE_CA_FILE/],
	[judgeConnectFailure("https://h", coded("proxy-refused")), "failure", /m/, /HTTPS_PROXY/],
	[judgeClock(1_000), "ok", /correct/],
	[judgeClock(-60_000), "warning", /60 s behind/, /network/],
	[judgeClock(3_600_000), "failure", /3600 s ahead/, /network/],
	[judgeClock(undefined), "ok", /no time/],
	[judgeModels(catalog(9)), "ok", /9 models/],
	[judgeModels(catalog(9, true)), "warning", /as of 2026/, /--refresh/],
	[judgeModels(catalog(0)), "failure", /no models/, /plan/],
	[judgeQuota(pools(10, 20.9)), "ok", /Pro: auto 10% used, api 20% used, until 2026-11-15/],
	[judgeQuota(pools(10, 100)), "warning", /api 100%/, /usage/],
	[judgeQuota({ ...pools(0, 0), pools: [] }), "ok", /no included usage/],
	[judgeRunFailure("HTTP/2", new Error("x")), "warning", /no run over HTTP\/2: x/, /fall back/],
	[
		judgeRunFailure("HTTP/1.1", Object.assign(new Error("x"), { nextStep: "Do it." })),
		"failure",
		/HTTP\/1\.1/,
		/Do it/,
	],
	[judgeGateway(undefined, undefined), "warning", /none is running/, /serve/],
	[judgeGateway(GATEWAY, { status: "ok", version: "1", store: "sqlite" }), "ok", /4280 \(serve\), process 7, ok/],
	[
		judgeGateway(GATEWAY, { status: "degraded", version: "1", store: "memory", degraded: ["store"] }),
		"warning",
		/in memory/,
		/log/,
	],
	[
		judgeGateway(GATEWAY, { status: "degraded", version: "1", store: "sqlite", degraded: ["conversations-lost"] }),
		"warning",
		/damaged or gone/,
		/corrupt-/,
	],
	[
		judgeGateway(GATEWAY, { status: "degraded", version: "9", store: "sqlite", degraded: ["new-one"] }),
		"warning",
		/new-one/,
		/log/,
	],
	[judgeGateway(GATEWAY, new Error("refused")), "failure", /does not respond \(refused\)/, /serve/],
	[judgeGateway(GATEWAY, { status: "ok", version: "1", store: "sqlite" }, new Error("bad")), "failure", /bad/, /log/],
	[judgeBreaker(undefined), "ok", /unknown: no gateway/],
	[judgeBreaker([]), "ok", /^closed/],
	[judgeBreaker([{ host: "h", state: "closed", failures: 1 }]), "ok", /^closed/],
	[
		judgeBreaker([{ host: "h", state: "open", failures: 4, lastFailure: "It was cut.", retryInSeconds: 7 }]),
		"warning",
		/^open: h keeps failing.*again in 7 s\. Last failure: It was cut\.$/,
		/wait/,
	],
	[judgeBreaker([{ host: "h", state: "open", failures: 4 }]), "warning", /with the next request/, /wait/],
	[judgeBreaker([{ host: "h", state: "half-open", failures: 4 }]), "warning", /is trying again/, /wait/],
	[judgeVersions({ own: "1", running: "1", clientVersion: "cli-x", from: "file" }), "ok", /as cli-x$/],
	[judgeVersions({ own: "1", running: "1", clientVersion: "x", from: "installed" }), "ok", /as x like the Cursor CLI/],
	[
		judgeVersions({ own: "2", running: "1", clientVersion: "x", from: "pin" }),
		"warning",
		/running gateway is 1/,
		/Restart/,
	],
	[judgeDrift([], ["v"]), "ok", /nothing unknown/],
	[judgeDrift([news({ what: "model", path: "gpt-9" })], ["v"]), "ok", /nothing unknown/],
	[judgeDrift([news({ path: "a.B.9" })], ["w"]), "ok", /nothing unknown/],
	[judgeDrift([news({ path: "a.B.9" })], ["w", "v"]), "warning", /: new field a\.B\.9 \(varint\) ×3$/, /Update/],
	[judgeDrift(Array(7).fill(news({ path: "a.B.9" })), ["v"]), "warning", /; and 2 more$/, /drift --report/],
])("%j", (verdict, status, text, next) => {
	expect(verdict.status).toBe(status);
	expect(verdict.text).toMatch(text);
	if (next) expect(verdict.next).toMatch(next);
	else expect(verdict.next).toBeUndefined();
});
