// What a newer Cursor sends is answered as ever, and counted: by path and client version, and by nothing of its content.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Settings } from "../../src/config/settings.ts";
import { MOST_ROWS } from "../../src/upstream/census/tally.ts";
import { encodeEnvelope } from "../../src/wire/framing/envelope.ts";
import { chatClient } from "../kit/dialects/chat-client.ts";
import { askIn } from "../kit/dialects/dialect-client.ts";
import { startTestGateway } from "../kit/gateway.ts";
import { agentText, agentUpdate, END_STREAM, frameServer } from "../kit/network/frame-server.ts";
import { listen, startUpstream, user } from "../kit/upstream.ts";

interface Row {
	what: string;
	path: string;
	clientVersion: string;
	count: number;
}

async function askWith(settings: Partial<Settings>, faults: string[]) {
	const gateway = await startTestGateway({ emulator: { brain: "echo", faults }, settings });
	const { text, thinking, turn } = await askIn(chatClient, gateway, { messages: [user("a b c Zanzibar e f g")] });
	await gateway.gateway.close();
	return { answer: { text, thinking, end: turn.end?.reason }, dataDir: gateway.dataDir };
}

const fileOf = (dataDir: string) => readFileSync(join(dataDir, "drift.json"), "utf8");
const rowsOf = (dataDir: string) => (JSON.parse(fileOf(dataDir)).rows as Row[]).map((row) => [row.what, row.path]);

const AGENT_NEWS = [
	["kind", "agent.v1.AgentServerMessage.interaction_update.901"],
	["kind", "agent.v1.AgentServerMessage.901"],
	["field", "agent.v1.AgentServerMessage.901"],
	["kind", "agent.v1.AgentServerMessage.exec_server_message.901"],
	["kind", "agent.v1.AgentServerMessage.interaction_query.901"],
	["enum-value", "agent.v1.AgentServerMessage.interaction_update.thinking_delta.thinking_style"],
];
const CHAT_NEWS = [
	["field", "aiserver.v1.StreamUnifiedChatResponseWithTools.stream_unified_chat_response.901"],
	["enum-value", "aiserver.v1.StreamUnifiedChatResponseWithTools.stream_unified_chat_response.thinking_style"],
	["enum-value", "aiserver.v1.StreamUnifiedChatResponseWithTools.client_side_tool_v2_call.tool"],
	["kind", "aiserver.v1.StreamUnifiedChatResponseWithTools.901"],
];
const LEGACY_NEWS = [["field", "aiserver.v1.StreamChatResponse.901"]];

it.each<[string, Partial<Settings>, string[][]]>([
	["the agent protocol over HTTP/2", {}, AGENT_NEWS],
	["the agent protocol over HTTP/1.1", { http1: true }, AGENT_NEWS],
	["the unified chat", { protocol: "unified" }, CHAT_NEWS],
	["the legacy chat", { protocol: "legacy" }, LEGACY_NEWS],
])("U24: news in %s change no answer and are counted by path", async (_name, settings, news) => {
	const faults = ["unknown-update", "unknown-message", "new-fields", "unknown-exec", "unknown-query"].map(
		(fault, index) => `${fault}@frame:${index + 2}`,
	);
	const [plain, newer] = await Promise.all([
		askWith(settings, []),
		askWith(settings, [...faults, "unknown-enum@frame:7"]),
	]);
	// The emulator's frame with the new enum value is a piece of thinking.
	expect(newer.answer).toEqual({ ...plain.answer, thinking: news === AGENT_NEWS ? "hm " : plain.answer.thinking });
	expect(() => fileOf(plain.dataDir)).toThrow("ENOENT");
	const rows = rowsOf(newer.dataDir);
	expect(rows).toHaveLength(news.length);
	expect(rows).toEqual(expect.arrayContaining(news));
	expect(fileOf(newer.dataDir)).not.toContain("Zanzibar");
	const versions = new Set((JSON.parse(fileOf(newer.dataDir)).rows as Row[]).map((row) => row.clientVersion));
	expect(versions).toEqual(new Set([settings.protocol ? "2.0.77" : "cli-2026.08.11-e8db854"]));
});

it("U24: a reason to refuse that is not known is counted, and the refusal told", async () => {
	const value = Buffer.from([0x08, 0xe7, 0x07]).toString("base64");
	const error = { code: "failed_precondition", message: "no", details: [{ type: "aiserver.v1.ErrorDetails", value }] };
	const server = await frameServer(() => [encodeEnvelope(2, Buffer.from(JSON.stringify({ error })))]);
	const upstream = await startUpstream();
	upstream.account.origin = () => server.origin;
	const run = upstream.newRun({ messages: [user("x")] });
	const response = await listen((listener) => run.open(listener));
	expect(response.error?.detail).toBe("no");
	expect(upstream.census.rows()).toMatchObject([
		{ what: "enum-value", path: "aiserver.v1.ErrorDetails.error", value: 999 },
	]);
});

it("U24: a flood of different fields is answered, and takes a bounded number of rows", async () => {
	const frames = [agentText("still "), agentText("here"), agentUpdate({ case: "turnEnded", value: {} })];
	const unknownField = (number: number) => {
		const tag = number * 8;
		return [(tag & 0x7f) | 0x80, ((tag >> 7) & 0x7f) | 0x80, tag >> 14, 1];
	};
	const server = await frameServer(function* () {
		for (let first = 3_000; first < 23_000; first += 100) {
			const fields = Array.from({ length: 100 }, (_, index) => unknownField(first + index));
			yield encodeEnvelope(0, Buffer.from(fields.flat()));
		}
		for (const frame of frames) yield encodeEnvelope(0, frame);
		yield END_STREAM;
	});
	const upstream = await startUpstream();
	upstream.account.origin = () => server.origin;
	const run = upstream.newRun({ messages: [user("x")] });
	const { text } = await listen((listener) => run.open(listener));
	expect(text).toBe("still here");
	const rows = upstream.census.rows();
	expect(rows).toHaveLength(MOST_ROWS);
	expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(20_000);
});
