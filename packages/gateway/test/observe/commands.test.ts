// `cursorwire logs` and `cursorwire top`: the real program beside a real gateway.
import { startEmulator } from "cursorwire-emulator";
import { describe, expect, it, onTestFinished } from "vitest";
import { EXIT_CODES } from "../../src/cli/process/exit-codes.ts";
import { LOOK, obedient } from "../kit/hostile/brain.ts";
import { say } from "../kit/hostile/rig.ts";
import { runProgram, startProgram, temporaryFolder } from "../kit/program.ts";
import { HAS_TERMINAL, startInTerminal } from "../kit/pty.ts";
import { type Served, serve } from "../kit/served.ts";

async function setUp(): Promise<{ gateway: Served; env: Record<string, string> }> {
	const emulator = await startEmulator({ brain: obedient });
	onTestFinished(() => emulator.close());
	const dataDir = temporaryFolder();
	const gateway = await serve({ upstream: emulator.url, dataDir, flags: ["--log-level", "silent"] });
	return { gateway, env: { CURSORWIRE_DATA_DIR: dataDir } };
}

const CHAT = "/v1/chat/completions";

describe("logs", () => {
	it("shows the last lines, filtered, as JSON or as text, with no key in them", async () => {
		const { gateway, env } = await setUp();
		const answer = await gateway.ask(say("hello"));
		const id = answer.headers.get("x-request-id")!;
		await answer.text();
		await (await gateway.ask(say("hello", { model: "no-such-model" }))).text();
		await fetch(`${gateway.url}${CHAT}`, { headers: { authorization: "Bearer cw_wrong0123456789" } });
		const [all, one, text] = await Promise.all([
			runProgram(["logs"], env),
			runProgram(["logs", "--request", id], env),
			runProgram(["logs", "--errors", "--text", "-n", "1"], env),
		]);
		const rows = (out: string) =>
			out
				.trim()
				.split("\n")
				.map((line) => JSON.parse(line));
		expect(rows(all.out)).toMatchObject([
			{ msg: "turn", model: "composer-1", path: "new", status: 200 },
			{ msg: "turn", model: "no-such-model", status: 404, errorKind: "model-not-found" },
			{ msg: "refused", errorKind: "bad-key" },
		]);
		expect(rows(one.out)).toMatchObject([{ requestId: id, status: 200 }]);
		expect(text.out).toMatch(/^\d\d:\d\d:\d\d {2}node +refused {2}GET \/v1\/chat\/completions {2}401 bad-key.*\n$/);
		for (const { code, out, err } of [all, one, text]) {
			expect({ code, err }).toEqual({ code: 0, err: "" });
			expect(out).not.toMatch(/cw_/);
		}
	});

	it("names the gateway's own command as the client of the turn that tries a connection", async () => {
		const { env } = await setUp();
		await runProgram(["connect", "codex", "--yes"], { ...env, HOME: temporaryFolder() });
		const { out } = await runProgram(["logs"], env);
		expect(JSON.parse(out)).toMatchObject({ msg: "turn", client: "cursorwire", status: 200 });
	});

	it("follows until the gateway ends, and says so", async () => {
		const { gateway, env } = await setUp();
		await (await gateway.ask(say("hello"))).text();
		const follower = startProgram(["logs", "--follow", "--lines", "1"], env);
		const [line] = await follower.prints(/\{.*\}/);
		expect(JSON.parse(line)).toMatchObject({ msg: "turn", path: "new" });
		await (await gateway.ask(say("fail"))).text();
		await follower.prints(/\n\{.*"errorKind":.*\}/);
		gateway.program.child.kill("SIGTERM");
		expect(await follower.ended).toMatchObject({ code: 0, err: "The gateway has ended.\n" });
		const { code, err } = await runProgram(["logs"], env);
		expect({ code, err }).toEqual({
			code: EXIT_CODES.noGateway.code,
			err: expect.stringContaining("No gateway is running"),
		});
	});

	it("says that the gateway was lost, and ends at Ctrl-C without a word", async () => {
		const { gateway, env } = await setUp();
		await (await gateway.ask(say("hello"))).text();
		const [lost, left] = [1, 2].map(() => startProgram(["logs", "-f"], env));
		await Promise.all([lost!.prints(/\}\n/), left!.prints(/\}\n/)]);
		left!.child.kill("SIGINT");
		expect(await left!.ended).toMatchObject({ code: 0, err: "" });
		gateway.program.child.kill("SIGKILL");
		const { code, err } = await lost!.ended;
		expect({ code, err }).toEqual({
			code: EXIT_CODES.noGateway.code,
			err: expect.stringMatching(/^The connection to .*\n$/),
		});
	});
});

/** One turn that has begun to speak, and one run that waits for a tool. */
async function busy(gateway: Served): Promise<void> {
	await (await gateway.ask(say("look here", { tools: [LOOK] }))).text();
	const leave = new AbortController();
	onTestFinished(() => leave.abort());
	const speaking = await gateway.ask(say("speak-and-hang", { stream: true }), { signal: leave.signal });
	const reader = speaking.body!.pipeThrough(new TextDecoderStream()).getReader();
	for (let text = ""; !text.includes("the first words"); ) text += (await reader.read()).value ?? "";
}

describe("top", () => {
	it("prints what runs once where it is no terminal, also as JSON", async () => {
		const { gateway, env } = await setUp();
		await busy(gateway);
		const [text, json] = await Promise.all([runProgram(["top"], env), runProgram(["top", "--json"], env)]);
		expect({ code: text.code, err: text.err }).toEqual({ code: 0, err: "" });
		expect(text.out).toMatch(/1 running, 1 waiting for tools\n/);
		expect(text.out).toMatch(/\nSTATE +AGE .*\nstreaming +\d+ s +node +composer-1 +new +4 /);
		expect(text.out).toMatch(/\nWAITS FOR +AGE .*\nlook +\d+ s +default +composer-1\n/);
		expect(JSON.parse(json.out)).toMatchObject({
			turns: [
				{ state: "streaming", model: "composer-1", path: "new", client: "node", dialect: "chat", outputTokens: 4 },
			],
			parked: [{ tools: ["look"], model: "composer-1" }],
			upstream: [{ state: "closed" }],
		});
		expect(text.out + json.out).not.toMatch(/cw_|first words|look here/);
	});

	it.skipIf(!HAS_TERMINAL)("draws in place in a terminal, within its width, and gives it back at q", async () => {
		const { gateway, env } = await setUp();
		await busy(gateway);
		const shown = startInTerminal(["top"], env, { columns: 40, rows: 12 });
		await shown.prints(/streaming[\s\S]*streaming/);
		shown.child.stdin!.write("q");
		const { code, out } = await shown.ended;
		expect(code).toBe(0);
		const [enter, leave] = ["\u001b[?1049h\u001b[?25l", "\u001b[?25h\u001b[?1049l"];
		expect(out.startsWith(enter)).toBe(true);
		expect(out.trimEnd().endsWith(leave)).toBe(true);
		// biome-ignore lint/suspicious/noControlCharactersInRegex: they take no room on the screen.
		const lines = out.replace(/\u001b\[[?\d;]*[A-Za-z]/g, "\n").split(/[\r\n]+/);
		expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(40);
	});

	it.skipIf(!HAS_TERMINAL)("gives the terminal back at Ctrl-C, and when the gateway has gone", async () => {
		const { gateway, env } = await setUp();
		const [left, lost] = [1, 2].map(() => startInTerminal(["top"], env));
		await Promise.all([left!.prints(/No turn is under way/), lost!.prints(/No turn is under way/)]);
		left!.child.stdin!.write("\u0003");
		const { code, out } = await left!.ended;
		expect({ code, end: out.trimEnd().endsWith("\u001b[?1049l") }).toEqual({ code: 0, end: true });
		gateway.program.child.kill("SIGKILL");
		const after = await lost!.ended;
		expect(after.code).toBe(EXIT_CODES.noGateway.code);
		expect(after.out).toMatch(/\[\?1049l.*does not respond; is it still running\?/s);
	});
});
