// A run is recorded, and the recording played to another gateway: what a user saw can be seen again.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Brain, startEmulator } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { until } from "../kit/cleanup.ts";
import { chatClient } from "../kit/dialects/chat-client.ts";
import { askIn } from "../kit/dialects/dialect-client.ts";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";
import { temporaryFolder } from "../kit/program.ts";
import { tool, user } from "../kit/upstream.ts";
import { converse as converseWith, withoutUsage } from "./converse.ts";

const SECRET = "Zanzibar";
const TOOLS = [tool("look", { at: { type: "string" } })];

/** Thinks, speaks, calls two tools, and ends with what they found. */
const busy: Brain = async function* () {
	yield { thinking: `about ${SECRET}` };
	yield { text: `Going to ${SECRET}. ` };
	const found = yield {
		calls: [
			{ name: "look", arguments: { at: SECRET } },
			{ name: "look", arguments: { at: "b" } },
		],
	};
	yield { text: `found ${found.map(({ text }: { text: string }) => text).join()}` };
	yield { usage: { inputTokens: 10, outputTokens: 20 } };
};

const failing: Brain = async function* () {
	yield { text: "half " };
	yield { delay: 20 };
	yield { error: { code: "resource_exhausted", details: { error: "ERROR_RATE_LIMITED" } } };
};

const cut: Brain = async function* () {
	yield { text: "half " };
	yield { delay: 20 };
	yield { drop: true };
};

const converse = (gateway: TestGateway, toolsRun?: () => Promise<void>) =>
	converseWith(gateway, { tools: TOOLS, word: SECRET, ...(toolsRun && { toolsRun }) });

const filesIn = (path: string) => readdirSync(path).map((name) => join(path, name));
/** Recordings end a moment after their runs. */
const finished = (path: string, count = 1) =>
	until(() => filesIn(path).filter((file) => readFileSync(file, "utf8").includes('"what":"over"')).length === count);

async function replay(record: string, settings = {}) {
	const gateway = await startTestGateway({ emulator: { replay: record }, settings });
	return converse(gateway);
}

/** It has no signs of life. */
const UNIFIED = { protocol: "unified" };

describe.each([
	["agent", "HTTP/2", {}],
	["agent", "HTTP/1.1", { http1: true }],
	["unified", "HTTP/2", UNIFIED],
])("a recording of the %s protocol over %s", (_protocol, _channel, settings) => {
	it.each<[string, Brain]>([
		["a run with tools", busy],
		["a run that was refused", failing],
		["a run that was cut", cut],
	])("of %s shows the same again", async (_name, brain) => {
		const record = temporaryFolder();
		const gateway = await startTestGateway({ emulator: { brain }, settings: { ...settings, record } });
		const seen = await converse(gateway);
		await finished(record);
		const again = await replay(record, settings);
		expect(again.map(withoutUsage)).toEqual(seen.map(withoutUsage));
	});

	it("of a run whose tools were slow does not wait for the signs of life of that time", async () => {
		const record = temporaryFolder();
		const gateway = await startTestGateway({
			emulator: { brain: busy },
			settings: { ...settings, record },
			limits: { execHeartbeatMs: 1 },
		});
		const { frames } = gateway.emulator.stats();
		const hasSigns = settings !== UNIFIED;
		const seen = await converse(gateway, () => until(() => !hasSigns || frames.execHeartbeats > 0));
		await finished(record);
		const again = await replay(record, settings);
		expect(again.map(withoutUsage)).toEqual(seen.map(withoutUsage));
	});

	it("of a run with its content shows the same figures again", async () => {
		const record = temporaryFolder();
		const recorded = { ...settings, record, recordContent: true };
		const gateway = await startTestGateway({ emulator: { brain: busy }, settings: recorded });
		const seen = await converse(gateway);
		await finished(record);
		expect(await replay(record, settings)).toEqual(seen);
	});
});

describe("a recording", () => {
	it("holds no word of the conversation and no token, and is for its owner alone", async () => {
		const record = temporaryFolder();
		const gateway = await startTestGateway({ emulator: { brain: busy }, settings: { record } });
		await converse(gateway);
		await finished(record);
		const [file] = filesIn(record);
		const text = readFileSync(file!, "utf8");
		expect(text).not.toContain(SECRET);
		expect(text).not.toMatch(/key_test|bearer|authorization/i);
		for (const piece of text.match(/[A-Za-z0-9+/]{8,}={0,2}/g) ?? []) {
			expect(Buffer.from(piece, "base64").toString("latin1")).not.toContain(SECRET);
		}
		expect(statSync(file!).mode & 0o777).toBe(0o600);
		const lines = text
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line));
		expect(lines[0]).toMatchObject({
			format: "cursorwire-recording",
			version: 1,
			model: "composer-1",
			content: "masked",
		});
		const states = lines.filter(({ what }) => what === "state").map(({ state }) => state);
		expect(states).toEqual(["parked", "answered"]);
		for (const { at } of lines.slice(1)) expect(at).toBeGreaterThanOrEqual(0);
	});

	it("holds the texts where that is wanted, and then says the same words again", async () => {
		const record = temporaryFolder();
		const gateway = await startTestGateway({ emulator: { brain: busy }, settings: { record, recordContent: true } });
		await converse(gateway);
		await finished(record);
		expect(readFileSync(filesIn(record)[0]!, "utf8")).toContain(`a question about ${SECRET}`);
		const again = await startTestGateway({ emulator: { replay: record } });
		const said = await askIn(chatClient, again, { messages: [user("anything")], tools: TOOLS });
		expect(said.text).toBe(`Going to ${SECRET}. `);
	});

	it("names what the gateway did not know in a message", async () => {
		const record = temporaryFolder();
		const emulator = { brain: "echo", faults: ["new-fields@frame:2"] };
		const gateway = await startTestGateway({ emulator, settings: { record } });
		await askIn(chatClient, gateway, { messages: [user("a b c")] });
		await finished(record);
		expect(readFileSync(filesIn(record)[0]!, "utf8")).toContain(
			'"unknown":["new field agent.v1.AgentServerMessage.901 (length-delimited)"]',
		);
	});

	it("is one file a run", async () => {
		const record = temporaryFolder();
		const gateway = await startTestGateway({ emulator: { brain: "echo" }, settings: { record } });
		for (const text of ["a", "b", "c"]) await askIn(chatClient, gateway, { messages: [user(text)] });
		await finished(record, 3);
		expect(filesIn(record)).toHaveLength(3);
	});

	it("that cannot be written stops nothing", async () => {
		const record = temporaryFolder();
		const gateway = await startTestGateway({ emulator: { brain: "echo" }, settings: { record } });
		// Root may write anywhere, so the folder itself has to go.
		rmSync(record, { recursive: true });
		expect((await askIn(chatClient, gateway, { messages: [user("still here")] })).text).toBe("still here");
	});

	it("goes to a folder that can be made, or the gateway does not start", async () => {
		const file = join(temporaryFolder(), "file");
		writeFileSync(file, "");
		await expect(startTestGateway({ settings: { record: join(file, "inside") } })).rejects.toThrow(
			/recordings cannot be written to .*ENOTDIR/,
		);
	});
});

describe("what is no recording", () => {
	it.each([
		["nothing", undefined, /cannot be read: ENOENT/],
		["something else", '{"a":1}\n', /is no recording of Cursorwire/],
		["a newer one", '{"format":"cursorwire-recording","version":9}\n', /version 9/],
		["an empty one", '{"format":"cursorwire-recording","version":1}\n', /holds no recorded run/],
	])("is refused in one line: %s", async (_name, content, message) => {
		const file = join(temporaryFolder(), "x.jsonl");
		if (content !== undefined) writeFileSync(file, content);
		await expect(startEmulator({ replay: file })).rejects.toThrow(message);
	});
});
