import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Brain, type EmulatorOptions, startEmulator } from "cursorwire-emulator";
import { describe, expect, it, onTestFinished } from "vitest";
import { startInspectingProxy } from "../kit/network/inspecting-proxy.ts";
import { TestAuthority } from "../kit/network/tls.ts";
import { runProgram, startProgram, temporaryFolder } from "../kit/program.ts";

async function machine(options: EmulatorOptions = {}) {
	const emulator = await startEmulator({ brain: "echo", ...options });
	onTestFinished(() => emulator.close());
	const home = temporaryFolder();
	const env: Record<string, string> = {
		HOME: home,
		CURSORWIRE_UPSTREAM: emulator.url,
		CURSORWIRE_WEBSITE: emulator.url,
	};
	if (emulator.ca) {
		env.CURSORWIRE_CA_FILE = join(home, "ca.pem");
		writeFileSync(env.CURSORWIRE_CA_FILE, emulator.ca);
	}
	return { emulator, home, env };
}

interface Findings {
	findings: { check: string; status: string; text: string; next?: string }[];
	leftOut: string[];
	conclusion: { state: string; cause?: string; text: string; next?: string };
}

async function diagnose(env: Record<string, string>, ...flags: string[]) {
	const { code, out, err } = await runProgram(["doctor", "--json", ...flags], env);
	expect(err).toBe("");
	const { findings, leftOut, conclusion }: Findings = JSON.parse(out);
	for (const { status, next } of findings) expect(next === undefined).toBe(status === "ok");
	return {
		code,
		leftOut,
		conclusion,
		findings,
		statuses: Object.fromEntries(findings.map(({ check, status }) => [check, status])),
	};
}

describe("cursorwire doctor", () => {
	it("finds all well, and asks a model once over each HTTP version", async () => {
		const { emulator, env } = await machine({ tls: true });
		const signedIn = { ...env, CURSOR_API_KEY: "key_test" };
		const gateway = startProgram(["serve", "--port", "0", "--json", "--log-level", "silent"], signedIn);
		await gateway.prints(/^\{/);
		const { code, statuses, leftOut, conclusion } = await diagnose(signedIn);
		expect(statuses).toEqual({
			...Object.fromEntries(
				["node", "config", "folder", "trust", "vault", "login", "proxy", "dns", "tls", "clock"].map((id) => [id, "ok"]),
			),
			...Object.fromEntries(
				["models", "quota", "calibration", "run-http2", "run-http1", "gateway", "breaker", "versions", "drift"].map(
					(id) => [id, "ok"],
				),
			),
		});
		expect([code, leftOut, conclusion]).toEqual([0, [], { state: "works", text: "Works." }]);
		const { rpcs } = emulator.stats();
		expect(rpcs["/agent.v1.AgentService/Run"]).toBe(1);
		expect(rpcs["/agent.v1.AgentService/RunSSE"]).toBe(1);
	});

	it("prints a line for each finding, with the next step, and exits with 1", async () => {
		const { env } = await machine();
		const { code, out } = await runProgram(["doctor"], env);
		expect(code).toBe(1);
		expect(out).toMatch(/^ok {7}Node {9}Node \d/m);
		expect(out).toMatch(/^failure {2}Login .*\n +→ Run `cursorwire login`\.$/m);
		expect(out).toMatch(/^warning {2}Gateway {6}none is running\n +→ Start it with `cursorwire serve`\.$/m);
		expect(out).toContain("Not checked, because of the failures above: Models, Quota, HTTP/2 run, HTTP/1.1 run.");
		expect(out).toMatch(/\n\nBroken: the cause is the account\. Login: .*\n→ Run `cursorwire login`\.\n$/);
		expect(out).not.toContain("\u001b");
	});

	it("tells a network that takes HTTP/2 out from one that carries nothing", async () => {
		const { emulator, env } = await machine({ tls: true });
		const authority = new TestAuthority();
		onTestFinished(() => authority.dispose());
		const proxy = await startInspectingProxy(authority.issue(["cursor.test"]), new URL(emulator.url), emulator.ca!);
		onTestFinished(() => proxy.close());
		const behind = {
			...env,
			CURSOR_API_KEY: "key_test",
			CURSORWIRE_UPSTREAM: "https://cursor.test",
			CURSORWIRE_WEBSITE: "https://cursor.test",
			HTTPS_PROXY: proxy.url,
			CURSORWIRE_CA_FILE: authority.caPath,
		};
		const [stripped, unreachable, untrusted] = await Promise.all([
			diagnose(behind),
			diagnose({ ...env, CURSORWIRE_UPSTREAM: "http://127.0.0.1:9", CURSOR_API_KEY: "key_test" }),
			diagnose({ ...env, CURSORWIRE_CA_FILE: "/nonexistent" }),
		]);
		expect(stripped.statuses).toMatchObject({
			tls: "warning",
			"run-http2": "warning",
			"run-http1": "ok",
			models: "ok",
		});
		expect(stripped.code).toBe(0);
		expect(unreachable.findings.find(({ check }) => check === "tls")).toMatchObject({ status: "failure" });
		expect(unreachable.code).toBe(1);
		expect(untrusted.statuses.trust).toBe("failure");
		expect(untrusted.leftOut).toContain("TLS");
	});

	it("shows that the running gateway has stopped asking a Cursor that fails, and why", async () => {
		const { env } = await machine({ faults: ["status=503@headers"] });
		const signedIn = { ...env, CURSOR_API_KEY: "key_test" };
		const gateway = startProgram(["serve", "--port", "0", "--json", "--log-level", "silent"], signedIn);
		const { url, key } = JSON.parse((await gateway.prints(/^\{.*\}$/m))[0]) as { url: string; key: string };
		const ask = () =>
			fetch(`${url}/v1/chat/completions`, {
				method: "POST",
				headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
				body: JSON.stringify({ model: "composer-1", messages: [{ role: "user", content: "hello" }] }),
			});
		for (let count = 0; count < 4; count++) expect((await ask()).status).toBe(503);
		const { findings, code } = await diagnose(signedIn, "--no-runs");
		const found = findings.find(({ check }) => check === "breaker");
		expect(found).toMatchObject({ status: "warning", text: expect.stringMatching(/^open: 127\.0\.0\.1:\d+ keeps/) });
		expect(found!.text).toContain("Last failure: Cursor's servers cannot serve the request now. HTTP 503");
		expect(code).toBe(0);
	});

	it("U24: names what is new in what Cursor sends, and spends nothing with --no-runs", async () => {
		const faults = ["unknown-update@frame:1", "new-fields@frame:2", "unknown-enum@frame:3"];
		const { emulator, home, env } = await machine({ faults });
		const signedIn = { ...env, CURSOR_API_KEY: "key_test" };
		const nothing = await runProgram(["drift"], signedIn);
		expect(nothing.out).toBe("Cursor has sent nothing that this version does not know.\n");
		const driftOf = async (...flags: string[]) => (await diagnose(signedIn, ...flags)).findings.at(-1)!;
		expect(await driftOf("--no-runs")).toMatchObject({ check: "drift", status: "ok" });
		expect(emulator.stats().runs.started).toBe(0);

		// Once over HTTP/2, once over HTTP/1.1.
		const { conclusion, findings } = await diagnose(signedIn);
		const { status, text } = findings.at(-1)!;
		expect(conclusion).toMatchObject({ state: "works-with-news", text: `Works, but ${text}` });
		expect(status).toBe("warning");
		expect(text).toContain("new kind agent.v1.AgentServerMessage.interaction_update.901 (length-delimited) ×2");
		expect(text).toContain("new field agent.v1.AgentServerMessage.901 (length-delimited) ×2");
		expect(text).toContain(
			"new value agent.v1.AgentServerMessage.interaction_update.thinking_delta.thinking_style = 77 ×2",
		);
		expect(await driftOf("--no-runs")).toMatchObject({ status: "warning", text });

		const file = join(home, "drift-report.json");
		const { code, out } = await runProgram(["drift", "--report", file], signedIn);
		expect(code).toBe(0);
		expect(out).toMatch(/^As cli-\S+\nNEWS +TIMES +FIRST SEEN +LAST SEEN +WHERE\n/);
		expect(out).toMatch(/^new value +2 +\d{4}-\d\d-\d\d +\d{4}-\d\d-\d\d +agent\.v1\.\S+\.thinking_style = 77$/m);
		expect(statSync(file).mode & 0o777).toBe(0o600);
		const { news } = JSON.parse((await runProgram(["drift", "--json"], signedIn)).out);
		expect(news).toHaveLength(3);
		expect(JSON.parse(readFileSync(file, "utf8")).news).toEqual(news);
	});

	it("tells a version that is too old from a Cursor that is down and from the account", async () => {
		const concluded = async (
			options: EmulatorOptions,
			key: Record<string, string> = { CURSOR_API_KEY: "key_test" },
		) => {
			const { env } = await machine(options);
			return (await diagnose({ ...env, ...key })).conclusion;
		};
		const quota: Brain = async function* () {
			yield { error: { code: "resource_exhausted", details: { error: "ERROR_PRO_USER_USAGE_LIMIT" } } };
		};
		const [old, down, spent, signedOut] = await Promise.all([
			concluded({ switches: ["client-version=outdated"] }),
			concluded({ faults: ["status=503@headers"] }),
			concluded({ brain: quota }),
			concluded({}, {}),
		]);
		expect(old).toMatchObject({ state: "broken", cause: "old", next: expect.stringContaining("clientVersion") });
		expect(down).toMatchObject({ state: "broken", cause: "vendor" });
		expect(spent).toMatchObject({ state: "broken", cause: "account" });
		expect(signedOut).toMatchObject({ state: "broken", cause: "account", next: "Run `cursorwire login`." });
	});

	it("writes a report without keys, names and folders", async () => {
		const { home, env } = await machine();
		const file = join(home, "report.json");
		const secrets = { CURSOR_API_KEY: "key_canary0123456789", CURSORWIRE_KEY: "cw_canary0123456789" };
		const { code, out } = await runProgram(["doctor", "--report", file, "--no-runs"], { ...env, ...secrets });
		expect([code, out]).toEqual([0, expect.stringContaining(`Written to ${file}`)]);
		const report = readFileSync(file, "utf8");
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(report).not.toMatch(/canary/);
		expect(report).not.toContain(home);
		expect(JSON.parse(report)).toMatchObject({ settings: { apiKey: { value: "(set)", from: "environment" } } });
	});
});
