import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { AnswerFile } from "./answer-file.ts";
import { runChoices } from "./choices.ts";
import { Learner } from "./learner.ts";

const DAY = 24 * 3_600_000;
const AUTO = { systemPrompt: "auto", toolChannel: "auto", cacheTokens: "auto" };

function setUp(clientVersion = "cli-1") {
	const folder = mkdtempSync(join(tmpdir(), "answers-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const clock = { time: Date.parse("2026-11-01T12:00:00Z") };
	const file = new AnswerFile(folder, "https://example.test");
	const learner = (version = clientVersion) => new Learner({ file, clientVersion: version, now: () => clock.time });
	const calibrate = (answers: Record<string, string>) =>
		file.write("ada", {
			clientVersion,
			answers: Object.fromEntries(
				Object.entries(answers).map(([id, value]) => [
					id,
					{ value, sure: "certain" as const, from: "calibrate" as const, at: new Date(clock.time).toISOString() },
				]),
			),
			dropped: {},
		});
	return { folder, path: join(folder, "calibration.json"), clock, file, learner, calibrate };
}

describe("answers", () => {
	it("are valid for 30 days and for one client version", () => {
		const { learner, calibrate, clock } = setUp();
		calibrate({ "system-prompt": "root" });
		clock.time += 30 * DAY - 1;
		expect(learner().answers("ada")["system-prompt"]?.value).toBe("root");
		expect(learner("cli-2").answers("ada")).toEqual({});
		expect(learner().answers("grace")).toEqual({});
		clock.time += 1;
		expect(learner().answers("ada")).toEqual({});
	});

	it("are seen a second later by a process that has the file open, and only their owner can read them", () => {
		const { folder, path, learner, calibrate, clock } = setUp();
		const open = learner();
		expect(open.answers("ada")).toEqual({});
		calibrate({ "tools-from": "request-context" });
		clock.time += 1_000;
		expect(open.answers("ada")["tools-from"]?.value).toBe("request-context");
		expect(new AnswerFile(folder, "https://example.test").read("ada")?.answers).toHaveProperty("tools-from");
		if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
	});

	it("are empty if the file is damaged", () => {
		const { path, learner, calibrate } = setUp();
		calibrate({ "tools-from": "both" });
		writeFileSync(path, readFileSync(path, "utf8").slice(0, 40));
		expect(learner().answers("ada")).toEqual({});
	});

	it.each([
		["all", "cloud-rule"],
		["rules+root", "rules"],
		["root", "root"],
		["something new", "cloud-rule"],
	])("%s lead to one place for the system prompt: %s", (value, place) => {
		const { learner, calibrate } = setUp();
		calibrate({ "system-prompt": value });
		expect(runChoices(AUTO, learner().answers("ada")).systemPrompt).toBe(place);
		expect(runChoices({ ...AUTO, systemPrompt: "all" }, learner().answers("ada")).systemPrompt).toBe("all");
	});
});

describe("a learner", () => {
	it("stores what traffic shows, and when", () => {
		const { learner, file } = setUp();
		learner().observe("ada", "tool-call-order", "started-only");
		learner().observe("ada", "context-asked", "yes");
		learner().observe("ada", "context-asked", "no");
		expect(file.read("ada")?.answers).toEqual({
			"tool-call-order": { value: "started-only", sure: "seen", from: "traffic", at: "2026-11-01T12:00:00.000Z" },
			"request-context": { value: "ask", sure: "seen", from: "traffic", at: "2026-11-01T12:00:00.000Z" },
		});
	});

	it("stores a confirmation at most once per day", () => {
		const { learner, path, clock } = setUp();
		const learning = learner();
		learning.observe("ada", "last-checkpoint", "both");
		const { ino } = statSync(path);
		clock.time += DAY - 1;
		learning.observe("ada", "last-checkpoint", "both");
		expect(statSync(path).ino).toBe(ino);
		clock.time += 1;
		learning.observe("ada", "last-checkpoint", "both");
		expect(learning.answers("ada")["last-checkpoint"]?.at).toBe("2026-11-02T12:00:00.000Z");
	});

	it("drops what a turn contradicts, and remembers that", () => {
		const { learner, calibrate, file } = setUp();
		calibrate({ "sse-after-tool": "continues" });
		learner().observe("ada", "sse-after-tool", "silent");
		const { answers, dropped } = file.read("ada")!;
		expect(answers["sse-after-tool"]).toMatchObject({ value: "silent", from: "traffic" });
		expect(dropped["sse-after-tool"]).toMatchObject({ value: "continues", shown: "silent" });
		expect(runChoices(AUTO, answers).waitsOverHttp1).toBe(false);
	});

	it("drops the place of tools when a forced call is missing twice in a row", () => {
		const { learner, calibrate, file } = setUp();
		calibrate({ "tools-from": "request-context" });
		const learning = learner();
		for (const call of ["missing", "made", "missing"]) learning.observe("ada", "forced-call", call);
		expect(learning.answers("ada")["tools-from"]?.value).toBe("request-context");
		learning.observe("ada", "forced-call", "missing");
		expect(learning.answers("ada")).toEqual({});
		expect(file.read("ada")?.dropped["tools-from"]?.value).toBe("request-context");
	});

	it.each([
		["refused-place", "system-prompt", "system-prompt"],
		["refused-place", "tools", "tools-from"],
		["privacy-host", "refused", "privacy-host"],
	] as const)("drops what %s=%s contradicts", (fact, value, question) => {
		const { learner, calibrate } = setUp();
		calibrate({ [question]: "agentn" });
		learner().observe("ada", fact, value);
		expect(learner().answers("ada")).toEqual({});
	});
});
