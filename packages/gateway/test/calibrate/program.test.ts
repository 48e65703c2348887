// The command as a person or a script runs it.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type EmulatorOptions, startEmulator } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { readLikeness } from "../../../emulator/src/like.ts";
import { closing } from "../kit/cleanup.ts";
import { runProgram, temporaryFolder } from "../kit/program.ts";

async function machine(options: EmulatorOptions = {}) {
	const emulator = closing(await startEmulator({ brain: "demo", ...options }));
	const home = temporaryFolder();
	const env = { HOME: home, CURSORWIRE_UPSTREAM: emulator.url, CURSOR_API_KEY: "key_test" };
	return { emulator, home, env };
}

describe("cursorwire calibrate", () => {
	it("says what it costs, and does nothing with --dry-run or without a yes", async () => {
		const { emulator, env } = await machine();
		const dry = await runProgram(["calibrate", "--dry-run"], env);
		expect([dry.code, dry.err]).toEqual([0, ""]);
		expect(dry.out).toContain("At most 8 short turns, about ");
		const unasked = await runProgram(["calibrate"], env);
		expect(unasked.code).toBe(2);
		expect(unasked.err).toContain("At most 8 short turns");
		expect(unasked.err).toContain("add --yes");
		expect(emulator.stats().rpcs).toEqual({});
	});

	it("ends in a table and a report without texts, which the emulator can be set by", async () => {
		const { emulator, home, env } = await machine({
			switches: ["system-prompt=root", "tools-from=request-context", "model-form=flattened"],
		});
		const report = join(home, "report.json");
		const { code, out } = await runProgram(["calibrate", "--yes", "--wait", "3", "--report", report], env);
		expect(code).toBe(0);
		expect(out).toMatch(/^QUESTION +ANSWER +HOW SURE +WHAT CHANGES NOW$/m);
		expect(out).toMatch(/^system-prompt +root +certain +.*: root, from now on$/m);
		expect(out).toMatch(/^unknown-query-answer +– +– +not seen yet$/m);
		expect(out).toMatch(/^Now used: systemPrompt root \(calibrated on .*toolChannel request-context /m);
		expect(emulator.prompts().length).toBeLessThanOrEqual(8);

		const text = readFileSync(report, "utf8");
		for (const secret of ["brimvale", "parlowick", "probe_", "127.0.0.1", "key_test", "call_"]) {
			expect(text).not.toContain(secret);
		}
		expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-|eyJ/);
		expect(readLikeness(report)).toEqual({
			settings: expect.arrayContaining(["system-prompt=root", "tools-from=request-context", "model-form=flattened"]),
			leftOut: [],
		});
		const { runs } = JSON.parse(text);
		expect(runs.find(({ turn }: { turn: string }) => turn === "words").frames).toContainEqual(
			expect.objectContaining({ from: "server", kind: "interactionUpdate.turnEnded" }),
		);

		const config = await runProgram(["config"], env);
		expect(config.out).toMatch(/^systemPrompt +calibrated on \d{4}-\d\d-\d\d +root$/m);
		const { out: found } = await runProgram(["doctor", "--no-runs", "--json"], env);
		const { text: told } = JSON.parse(found).findings.find(({ check }: { check: string }) => check === "calibration");
		expect(told).toMatch(/toolChannel request-context \(calibrated on \d{4}-\d\d-\d\d\)/);
		const overridden = await runProgram(["config"], { ...env, CURSORWIRE_SYSTEM_PROMPT: "rules" });
		expect(overridden.out).toMatch(/^systemPrompt +setting +rules$/m);
	});

	it("asks one question", async () => {
		const { emulator, env } = await machine({ switches: ["http2-config=3"] });
		const { code, out } = await runProgram(["calibrate", "--yes", "--json", "--only", "http2-config"], env);
		expect([code, JSON.parse(out)]).toMatchObject([0, { turns: 0, answers: { "http2-config": { value: "3" } } }]);
		expect(emulator.prompts()).toEqual([]);
		const wrong = await runProgram(["calibrate", "--only", "weather"], env);
		expect([wrong.code, wrong.err.split("\n").length]).toEqual([2, 2]);
	});

	it("ends with what it knows where something breaks on the way", async () => {
		const { env } = await machine({ faults: ["cut@frame:3/RunSSE"] });
		const { code, out } = await runProgram(["calibrate", "--yes", "--json", "--wait", "3"], env);
		expect(code).toBe(1);
		const { answers, problems } = JSON.parse(out);
		expect(problems).toMatchObject([{ stage: "http1", kind: "upstream-reset" }]);
		expect(answers["sse-after-tool"]).toMatchObject({ unknown: expect.any(String) });
		expect(answers["system-prompt"]).toMatchObject({ value: "all" });
		expect(answers["chat-service"]).toMatchObject({ value: "on" });
	});

	it("stops where no usage is left, and says so", async () => {
		const { emulator, env } = await machine({ faults: ["error=ERROR_USAGE_PRICING_REQUIRED@frame:2/Run"] });
		const { code, err } = await runProgram(["calibrate", "--yes"], env);
		expect(code).toBe(1);
		expect(err).toMatch(/^Not settled: a word in each place of a system prompt.*usage/m);
		expect(emulator.stats().rpcs).not.toHaveProperty("/agent.v1.AgentService/RunSSE");
	});

	it.each([
		["is signed out", { CURSOR_API_KEY: "" }, 3],
		["does not reach Cursor", { CURSORWIRE_UPSTREAM: "http://127.0.0.1:9" }, 4],
	])("has an exit code of its own where it %s", async (_, changes, wanted) => {
		const { home, env } = await machine();
		const { code, err } = await runProgram(["calibrate", "--yes"], { ...env, ...changes });
		expect(code).toBe(wanted);
		expect(err).not.toContain("    at ");
		expect(existsSync(join(home, ".config", "cursorwire", "calibration.json"))).toBe(false);
	});

	it("says that nothing can work with such a server, and what to do", async () => {
		const { env } = await machine({ switches: ["client-version=outdated"] });
		const { code, err } = await runProgram(["calibrate", "--yes"], env);
		expect(code).toBe(1);
		expect(err).toContain("refuses this client version as too old");
	});
});

describe("cursorwire emulate --like", () => {
	const report = (answers: object) => ({ format: "cursorwire-calibration", version: 1, answers });

	it("is one line and exit code 2 for a file that is no report", async () => {
		const file = join(temporaryFolder(), "file.json");
		expect(() => readLikeness(file)).toThrow("cannot be read (ENOENT)");
		writeFileSync(file, "{");
		expect(() => readLikeness(file)).toThrow("this is no JSON");
		writeFileSync(file, '{"answers":{}}');
		const { code, err } = await runProgram(["emulate", "--port", "0", "--like", file], {});
		expect([code, err.trim().split("\n").length]).toEqual([2, 1]);
		expect(err).toContain("this is no report");
	});

	it("is told by the file what a switch is, and says what it cannot be", async () => {
		const file = join(temporaryFolder(), "file.json");
		writeFileSync(
			file,
			JSON.stringify(report({ usage: "silent", "system-prompt": "rules+root", "max-mode": null, x: "y" })),
		);
		expect(readLikeness(file)).toEqual({ settings: ["usage=silent"], leftOut: ["system-prompt=rules+root"] });
	});
});
