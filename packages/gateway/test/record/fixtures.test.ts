// Every recording under test/fixtures/recordings is played to the gateway, and a client sees what it saw before.
// `npm run fixture -- <recording> <name>` adds one.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { stripRecording } from "../../scripts/strip-recording.ts";
import type { Settings } from "../../src/config/settings.ts";
import { startTestGateway } from "../kit/gateway.ts";
import { tool } from "../kit/upstream.ts";
import { converse, withoutUsage } from "./converse.ts";

const FOLDER = new URL("../fixtures/recordings/", import.meta.url);
const NAMES = readdirSync(FOLDER)
	.filter((file) => file.endsWith(".jsonl"))
	.map((file) => file.replace(".jsonl", ""));

const pathOf = (file: string) => fileURLToPath(new URL(file, FOLDER));
const textOf = (name: string) => readFileSync(pathOf(`${name}.jsonl`), "utf8");

/** The names of the client's tools that the recorded model called. */
const toolsIn = (text: string) => new Set([...text.matchAll(/"toolName":"([^"]+)"/g)].map(([, name]) => name!));

function settingsFor(text: string): Partial<Settings> {
	const [, protocol, channel] = /"what":"opened","protocol":"(\w+)","channel":"([\w-]+)"/.exec(text)!;
	return { protocol, http1: channel === "sse-append" };
}

describe.each(NAMES)("the fixture %s", (name) => {
	it("holds nothing that had to be stripped", () => {
		expect(stripRecording(textOf(name))).toBe(textOf(name));
	});

	it("shows a client what it showed before", async () => {
		const before = pathOf(`${name}.seen.json`);
		expect(existsSync(before) || process.env.CURSORWIRE_NEW_FIXTURE === name).toBe(true);
		const text = textOf(name);
		const gateway = await startTestGateway({
			emulator: { replay: pathOf(`${name}.jsonl`) },
			settings: settingsFor(text),
		});
		const seen = await converse(gateway, { tools: [...toolsIn(text)].map((tool_) => tool(tool_)) });
		await expect(`${JSON.stringify(seen.map(withoutUsage), undefined, 2)}\n`).toMatchFileSnapshot(before);
	});
});

const HEADER = {
	format: "cursorwire-recording",
	version: 1,
	gateway: "0.1.0",
	runId: "6a1c9d0e-1111-4222-8333-444455556666",
	model: "composer-1",
	startedAt: "2026-11-16T05:06:07.890Z",
	content: "full",
};
const recording = (...lines: object[]) => [HEADER, ...lines].map((line) => JSON.stringify(line)).join("\n");
const received = (message: object) => ({ at: 7, what: "received", message });

describe("a recording that becomes a fixture", () => {
	it("is masked although it was not, and loses times and ids", () => {
		const callId = "toolu_0123456789abcdef";
		const update = (kind: string, value: object) => received({ interactionUpdate: { [kind]: value } });
		const stripped = stripRecording(
			recording(
				{ at: 1, what: "opened", protocol: "agent", channel: "h2-duplex" },
				{ at: 2, what: "sent", message: { runRequest: { conversationId: "c", action: { text: "Zanzibar" } } } },
				update("textDelta", { text: Buffer.from("to Zanzibar").toString("base64") }),
				update("toolCallStarted", { callId }),
				update("toolCallCompleted", { callId }),
				{ at: 9, what: "closed", end: { kind: "error", error: "upstream-error", detail: "Zanzibar is closed" } },
			),
		);
		expect(stripped).not.toMatch(/Zanzibar|WmFuem|6a1c9d0e|0123456789abcdef|05:06|"at":[1-9]/);
		expect(stripped.match(/"callId":"call_1"/g)).toHaveLength(2);
		expect(stripped).toContain('"message":{"runRequest":{}}');
		expect(stripRecording(stripped)).toBe(stripped);
	});

	it("is refused where a secret or a name is left in it", () => {
		const withTool = (toolName: string) =>
			recording(
				{ at: 1, what: "opened", protocol: "agent", channel: "h2-duplex" },
				received({ execServerMessage: { id: 1, mcpArgs: { toolName } } }),
			);
		expect(() => stripRecording(withTool("sk-canary0123456789"))).toThrow(/is left in it: .*\(key\)/);
		expect(() => stripRecording(withTool("ask_ada"), { ada: "(user)" })).toThrow(/ask_\(user\)/);
		expect(() => stripRecording(withTool("look"))).not.toThrow();
	});

	it("has to be one", () => {
		expect(() => stripRecording("{}\n")).toThrow("it is no recording of version 1");
		expect(() => stripRecording("")).toThrow("it is no recording");
	});
});
