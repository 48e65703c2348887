import { describe, expect, it } from "vitest";
import type { TurnMessage } from "../../src/turn/request.ts";
import { chatClient } from "../kit/dialects/chat-client.ts";
import type { Asked } from "../kit/dialects/dialect-client.ts";
import { startTestGateway, type TestGatewayOptions } from "../kit/gateway.ts";
import { result, tool, user } from "../kit/upstream.ts";

const PNG = Buffer.from(
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
	"base64",
);

/** Strict: the emulator refuses what the editor's backend would. */
const start = (settings: TestGatewayOptions["settings"] = {}) =>
	startTestGateway({ emulator: { brain: "echo", strict: true }, settings: { protocol: "unified", ...settings } });

async function sent(gateway: Awaited<ReturnType<typeof start>>, request: Asked, more: object = {}) {
	const response = await gateway.post("/v1/chat/completions", { ...chatClient.body(request), ...more });
	expect([response.status, (await response.text()).includes('"error"')]).toEqual([200, false]);
	const logged = gateway.emulator.requests().filter(({ path }) => path.includes("/StreamUnifiedChat"));
	return logged.at(-1) as { headers: Record<string, string>; body: Record<string, never> };
}

describe("a unified chat request", () => {
	it("holds the conversation with its bubbles, calls with their results, and images", async () => {
		const messages: TurnMessage[] = [
			{
				role: "user",
				content: [
					{ type: "text", text: "see" },
					{ type: "image", mediaType: "image/png", data: PNG },
				],
			},
			{
				role: "assistant",
				content: [
					{ type: "text", text: "looking" },
					{ type: "tool-call", id: "call/1", name: "look", arguments: '{"a":1}' },
				],
			},
			{ role: "tool", content: [result("call/1", "not there")] },
			user("and now?"),
		];
		const { body } = await sent(await start(), { messages, tools: [tool("look")] });
		expect(body).toMatchObject({
			conversation: [
				{ text: "see", type: "MESSAGE_TYPE_HUMAN", images: [{ data: PNG.toString("base64") }] },
				{
					text: "looking",
					type: "MESSAGE_TYPE_AI",
					toolResults: [
						{
							toolCallId: "call_1",
							toolName: "look",
							rawArgs: '{"a":1}',
							content: "not there",
							result: { mcpResult: { selectedTool: "look", result: "not there" } },
						},
					],
				},
				{ text: "and now?", type: "MESSAGE_TYPE_HUMAN" },
			],
			isResume: false,
		});
		const { conversation, fullConversationHeadersOnly } = body as unknown as Record<string, { bubbleId: string }[]>;
		expect(fullConversationHeadersOnly!.map(({ bubbleId }) => bubbleId)).toEqual(
			conversation!.map(({ bubbleId }) => bubbleId),
		);
	});

	it("offers the client's tools as MCP tools and is agentic then", async () => {
		const tools = [tool("look", { at: { type: "string" } })];
		const { body } = await sent(await start(), { messages: [user("x")], tools });
		expect(body).toMatchObject({
			isAgentic: true,
			unifiedMode: "UNIFIED_MODE_AGENT",
			unifiedModeName: "Agent",
			supportedTools: ["CLIENT_SIDE_TOOL_V2_MCP"],
			mcpTools: [
				{
					name: "look",
					description: "the tool look",
					parameters: JSON.stringify(tools[0]!.inputSchema),
					serverName: "client",
				},
			],
		});
	});

	it("is a chat without tools, in any mode that the client names", async () => {
		const gateway = await start();
		const chat = await sent(gateway, { messages: [user("x")] });
		expect(chat.body).toMatchObject({ isChat: true, shouldDisableTools: true, unifiedMode: "UNIFIED_MODE_CHAT" });
		const plan = await sent(gateway, { messages: [user("x")] }, { metadata: { cursor_mode: "plan" } });
		expect(plan.body).toMatchObject({ unifiedMode: "UNIFIED_MODE_PLAN", unifiedModeName: "Plan" });
	});

	it.each([
		["composer-1", "high", ""],
		["gpt-5.4-low", "high", ""],
		["composer-1", "minimal", "has no effect"],
	])("tells no lie about the effort of %s, %s", async (model, reasoning_effort, warning) => {
		const gateway = await start();
		const body = { ...chatClient.body({ model, messages: [user("x")] }), reasoning_effort, stream: false };
		const response = await gateway.post("/v1/chat/completions", body);
		const warnings = response.headers.get("x-cursorwire-warnings") ?? "";
		expect(warnings.includes("has no effect")).toBe(warning !== "");
		const logged = gateway.emulator.requests().findLast(({ path }) => path.includes("/StreamUnifiedChat"));
		const { thinkingLevel } = logged!.body as { thinkingLevel?: string };
		expect(thinkingLevel).toBe(warning === "" ? "THINKING_LEVEL_HIGH" : "THINKING_LEVEL_UNSPECIFIED");
	});

	it("names the model by one name, with its level of thinking, Max Mode and ghost mode", async () => {
		const gateway = await start();
		const high = await sent(gateway, { model: "gpt-5.4", messages: [user("x")] }, { reasoning_effort: "high" });
		expect(high.body).toMatchObject({
			modelDetails: { modelName: "gpt-5.4-high", maxMode: false, enableGhostMode: true },
			thinkingLevel: "THINKING_LEVEL_HIGH",
		});
		const plain = await sent(gateway, { model: "composer-1", messages: [user("x")] });
		expect(plain.body).toMatchObject({
			modelDetails: { modelName: "composer-1" },
			thinkingLevel: "THINKING_LEVEL_UNSPECIFIED",
		});
	});

	it.each([
		["cloud-rule", { context: "be brief\n\nbe kind", rules: 0 }],
		["rules", { context: "", rules: 1 }],
		["all", { context: "be brief\n\nbe kind", rules: 1 }],
	])("holds the system prompt as %s says", async (systemPrompt, { context, rules }) => {
		const gateway = await start({ systemPrompt });
		const { body } = await sent(gateway, { messages: [user("x")], system: ["be brief", "be kind"] });
		const { explicitContext, usesRules } = body as Record<string, unknown>;
		const { context: text = "", rules: held = [] } = explicitContext as { context?: string; rules?: object[] };
		expect([text, held.length, usesRules ?? false]).toEqual([context, rules, rules > 0]);
	});

	it("says where the client is", async () => {
		const { body } = await sent(await start(), { messages: [user("x")] });
		expect(body).toMatchObject({
			environmentInfo: { localTimezone: Intl.DateTimeFormat().resolvedOptions().timeZone },
		});
	});

	it("goes out as the editor's, with a checksum that stays that of this install", async () => {
		const gateway = await start({ http1: true });
		const first = (await sent(gateway, { messages: [user("x")] })).headers;
		const second = (await sent(gateway, { messages: [user("y")] })).headers;
		expect(first).toMatchObject({
			"x-cursor-client-type": "ide",
			"x-cursor-client-version": "2.0.77",
			"x-cursor-timezone": expect.any(String),
			"x-client-key": expect.stringMatching(/^[0-9a-f]{64}$/),
		});
		const ids = [first, second].map((headers) => /^[\w-]{8}([0-9a-f]{64})$/.exec(headers["x-cursor-checksum"]!)?.[1]);
		expect(ids[0]).toBeDefined();
		expect(ids[1]).toBe(ids[0]);
	});
});
