import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type EmulatorOptions, startEmulator } from "cursorwire-emulator";
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "../kit/cleanup.ts";
import { ConnectProxy } from "../kit/network/connect-proxy.ts";
import { startInspectingProxy } from "../kit/network/inspecting-proxy.ts";
import { TestAuthority } from "../kit/network/tls.ts";
import { runProgram, startProgram, temporaryFolder } from "../kit/program.ts";

async function emulator(options: EmulatorOptions = {}) {
	const started = await startEmulator({ brain: "echo", ...options });
	onTestFinished(() => started.close());
	return started;
}

const settings = (upstream: string, more: Record<string, string> = {}) => ({
	CURSORWIRE_UPSTREAM: upstream,
	CURSORWIRE_DATA_DIR: temporaryFolder(),
	CURSOR_API_KEY: "key_test",
	...more,
});

/** A file with the certificate that the emulator's clients are to trust. */
function caFile(pem: string): string {
	const file = join(temporaryFolder(), "ca.pem");
	writeFileSync(file, pem);
	return file;
}

describe("cursorwire ask", () => {
	it("streams an answer over cleartext HTTP/2, over HTTP/1.1 and over TLS", async () => {
		const plain = await emulator();
		const secure = await emulator({ tls: true });
		const tls = settings(secure.url, { CURSORWIRE_CA_FILE: caFile(secure.ca!) });
		const [h2c, http1, overTls] = await Promise.all([
			runProgram(["ask", "one", "two"], settings(plain.url)),
			runProgram(["ask", "--http1", "one", "two"], settings(plain.url)),
			runProgram(["ask", "one", "two"], tls),
		]);
		for (const { code, out, err } of [h2c, http1, overTls]) expect([code, out, err]).toEqual([0, "one two\n", ""]);
		const paths = plain.stats().rpcs;
		expect(paths["/agent.v1.AgentService/Run"]).toBe(1);
		expect(paths["/agent.v1.AgentService/RunSSE"]).toBe(1);
		expect(secure.stats().rpcs["/agent.v1.AgentService/Run"]).toBe(1);
	});

	it("prints JSON, keeps thinking apart, and takes escape sequences out of what a model says", async () => {
		const backend = await emulator({
			async *brain() {
				yield { thinking: "hm" };
				yield { text: "\u001b[31mred" };
			},
		});
		const env = settings(backend.url);
		const [json, text] = await Promise.all([
			runProgram(["ask", "--json", "--thinking", "x"], env),
			runProgram(["ask", "--thinking", "x"], env),
		]);
		expect(JSON.parse(json.out)).toMatchObject({ text: "\u001b[31mred", thinking: "hm" });
		expect([text.out, text.err]).toEqual(["[31mred\n", "hm\n"]);
	});

	it("says what is wrong in one line: signed out, no such host, a certificate nobody vouches for", async () => {
		const secure = await emulator({ tls: true });
		const { CURSOR_API_KEY: _, ...signedOut } = settings((await emulator()).url);
		const [a, b, c, d] = await Promise.all([
			runProgram(["ask", "x"], signedOut),
			runProgram(["ask", "x"], settings("http://127.0.0.1:9")),
			runProgram(["ask", "x"], settings(secure.url)),
			runProgram(["ask", "x"], settings("not a url")),
		]);
		expect([a.code, a.err]).toEqual([3, expect.stringContaining("cursorwire login")]);
		expect([b.code, b.err]).toEqual([4, expect.stringMatching(/127\.0\.0\.1:9|cannot be reached/)]);
		expect([c.code, c.err]).toEqual([4, expect.stringMatching(/certificate/i)]);
		expect([d.code, d.err]).toEqual([2, expect.stringContaining("CURSORWIRE_UPSTREAM")]);
		for (const { err, out } of [a, b, c, d]) {
			expect(err.trim().split("\n")).toHaveLength(1);
			expect(out).toBe("");
		}
	});

	it("Ctrl-C cancels the run at the server and leaves a clean line", async () => {
		const backend = await emulator({
			async *brain() {
				yield { text: "going on" };
				yield { hang: "heartbeats" };
			},
		});
		const { child, prints, ended } = startProgram(["ask", "x"], settings(backend.url));
		await prints(/going on/);
		child.kill("SIGINT");
		const { code, err } = await ended;
		expect([code, err]).toEqual([130, "Cancelled.\n"]);
		await until(() => backend.stats().runs.cancelled.length === 1);
	});
});

describe("cursorwire ask with standard input", () => {
	/** The program behind `sh`, as a user types it. */
	const shell = (line: string, env: Record<string, string>, args: string[]) =>
		runProgram(args, env, { under: ["sh", "-c", line, "sh"] });

	it.each<[line: string, args: string[], out: string]>([
		[`echo "from a pipe" | "$@"`, ["ask"], "from a pipe\n"],
		[`echo "from a pipe" | "$@"`, ["ask", "-"], "from a pipe\n"],
		[
			`printf "a\\n\\nb\\n" > "$HOME/file"; "$@" < "$HOME/file"`,
			["ask", "Summarise", "this:"],
			"Summarise this:\n\na\n\nb\n",
		],
		[`echo "from a pipe" | "$@"`, ["ask", "Summarise", "-"], "Summarise\n\nfrom a pipe\n"],
		[`"$@" < /dev/null`, ["ask", "only the words"], "only the words\n"],
	])("%s %j", async (line, args, out) => {
		const env = settings((await emulator()).url, { HOME: temporaryFolder() });
		expect(await shell(line, env, args)).toEqual({ code: 0, out, err: "" });
	});

	it("refuses input that is empty, that is no text, or that is too long, in one line", async () => {
		const env = settings((await emulator()).url, { CURSORWIRE_MAX_BODY_MIB: "1" });
		const [empty, blank, binary, long] = await Promise.all([
			shell(`"$@" < /dev/null`, env, ["ask"]),
			shell(`echo | "$@"`, env, ["ask", "-"]),
			shell(`printf '\\377\\376\\000' | "$@"`, env, ["ask", "what is this"]),
			shell(`"$@" < /dev/zero`, env, ["ask", "-"]),
		]);
		for (const { code, err } of [empty, blank])
			expect([code, err]).toEqual([2, expect.stringMatching(/^standard input is empty; write .*\n$/)]);
		expect([binary.code, binary.err]).toEqual([
			1,
			expect.stringMatching(/^Standard input is not text in UTF-8\.[^\n]*\n$/),
		]);
		expect([long.code, long.err]).toEqual([1, expect.stringMatching(/^Standard input is too long\.[^\n]*\n$/)]);
	});

	it("takes a big file", async () => {
		const backend = await emulator({
			async *brain({ prompt }) {
				yield { text: `${prompt.length}` };
			},
		});
		const folder = temporaryFolder();
		writeFileSync(join(folder, "big"), "0123456789abcde\n".repeat(50_000));
		const { out, err } = await shell(`"$@" < '${folder}/big'`, settings(backend.url), ["ask", "-"]);
		expect([out, err]).toEqual(["799999\n", ""]);
	});

	it("ends quietly when nobody reads any more, and so does the run", async () => {
		const backend = await emulator({
			async *brain() {
				for (;;) {
					yield { text: "line\n".repeat(100) };
					yield { delay: 1 };
				}
			},
		});
		const { code, out, err } = await shell(`"$@" | head -1`, settings(backend.url), ["ask", "x"]);
		expect([code, out, err]).toEqual([0, "line\n", ""]);
		await until(() => backend.stats().runs.cancelled.length === 1);
	});

	it("Ctrl-C ends the wait for input", async () => {
		const { child, ended } = startProgram(["ask", "-"], settings((await emulator()).url));
		// More than the system keeps for a reader: once it has gone, the program reads.
		child.stdin!.write("x".repeat(4 * 1024 * 1024));
		await until(() => child.stdin!.writableLength === 0);
		child.kill("SIGINT");
		const { code, out, err } = await ended;
		expect([code, out, err]).toEqual([130, "", "Cancelled.\n"]);
	});
});

/** One fault of each class of RELIABILITY: recovers, or ends in an error that says so. Never a cut answer as a whole one. */
const FAULTS: [fault: string, outcome: "recovers" | RegExp, code?: number][] = [
	["goaway@frame:4", "recovers"],
	["goaway-refuse@headers*1", "recovers"],
	["reset=REFUSED_STREAM@headers*1", "recovers"],
	["http1-required@headers/Run", "recovers"],
	["status=464@headers/Run", "recovers"],
	["status=421@headers/Run", "recovers"],
	["hollow@headers/Run", "recovers"],
	["status=503@headers*1", "recovers"],
	["slice=1@frame:1", "recovers"],
	["empty-frame=3@frame:3", "recovers"],
	["gzip@frame:3", "recovers"],
	["split-code-point@frame:3", "recovers"],
	["bad-utf8@frame:3", "recovers"],
	["unknown-update@frame:3", "recovers"],
	["unknown-exec@frame:3", "recovers"],
	["linger@after-end", "recovers"],
	["data-after-end@end", "recovers"],
	["double-end@end", "recovers"],
	["latency=5@frame:1", "recovers"],
	["cut@frame:9", /cut in the middle/],
	["reset@frame:9", /cut in the middle|failed/],
	["no-end-stream@frame:9", /broke off|cut in the middle/],
	["huge-length@frame:9", /does not understand|limit/],
	["bomb@frame:9", /does not understand|inflate/],
	["reserved-flags@frame:9", /does not understand|flag/],
	["false-compressed@frame:9", /does not understand|compress/],
	["error=ERROR_RATE_LIMITED@frame:9", /limits the rate|By fault/],
	["bad-error=not-json@frame:9", /does not understand|end/],
	["redirect@headers", /302|redirect/i],
	["html=502@headers", /502/, 4],
	["wrong-type@headers", /.+/],
	["trailers-only@headers", /trailers only|cannot be reached|failed/, 4],
	["error=ERROR_UNSUPPORTED_REGION@frame:2", /region/],
];

describe("cursorwire ask with faults", () => {
	it.each(FAULTS)("%s", async (fault, outcome, failure = 1) => {
		const backend = await emulator({
			faults: [fault],
			async *brain() {
				for (const word of ["alpha ", "beta ", "gamma ", "delta ", "omega"]) {
					yield { text: word };
					yield { delay: 5 };
				}
			},
		});
		const { code, out, err } = await runProgram(["ask", "x"], settings(backend.url));
		if (outcome === "recovers") {
			expect(err).toBe("");
			expect([code, out.endsWith("omega\n")]).toEqual([0, true]);
			return;
		}
		expect(code).toBe(failure);
		expect(out).not.toContain("omega");
		expect(err.trim().split("\n")).toHaveLength(1);
		expect(err).toMatch(outcome);
	});
});

describe("cursorwire ask through proxies", () => {
	it("speaks HTTP/2 inside an HTTP CONNECT tunnel", async () => {
		const backend = await emulator({ tls: { hosts: ["cursor.test"] } });
		const proxy = await ConnectProxy.listen({ target: new URL(backend.url) });
		onTestFinished(() => proxy.close());
		const env = settings("https://cursor.test", {
			HTTPS_PROXY: proxy.url.href,
			CURSORWIRE_CA_FILE: caFile(backend.ca!),
		});
		const { code, out, err } = await runProgram(["ask", "through", "it"], env);
		expect([code, out, err]).toEqual([0, "through it\n", ""]);
		expect(proxy.tunnels.every(({ target }) => target === "cursor.test:443")).toBe(true);
		expect(backend.stats().connections.h2).toBe(1);
		expect(backend.stats().rpcs["/agent.v1.AgentService/Run"]).toBe(1);
	});

	it("falls back to HTTP/1.1 where a proxy opens TLS and takes HTTP/2 out of it", async () => {
		const authority = new TestAuthority();
		onTestFinished(() => authority.dispose());
		const backend = await emulator({ tls: true });
		const proxy = await startInspectingProxy(authority.issue(["cursor.test"]), new URL(backend.url), backend.ca!);
		onTestFinished(() => proxy.close());
		const env = settings("https://cursor.test", { HTTPS_PROXY: proxy.url, CURSORWIRE_CA_FILE: authority.caPath });
		const { code, out, err } = await runProgram(["ask", "seen", "through"], env);
		expect([code, out, err]).toEqual([0, "seen through\n", ""]);
		expect(new Set(proxy.protocols)).toEqual(new Set(["http/1.1"]));
		expect(backend.stats().rpcs["/agent.v1.AgentService/RunSSE"]).toBe(1);
		expect(backend.stats().connections.h2).toBe(0);
	});

	it("tells a proxy that refuses", async () => {
		const proxy = await ConnectProxy.listen({ refuseWith: 407 });
		onTestFinished(() => proxy.close());
		const { code, err } = await runProgram(
			["ask", "x"],
			settings("https://cursor.test", { HTTPS_PROXY: proxy.url.href }),
		);
		expect(code).toBe(4);
		expect(err).toMatch(/proxy/i);
	});
});
