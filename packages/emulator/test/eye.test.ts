import { create } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import type { ConversationStateStructure } from "@cursorwire/protocol/agent";
import {
	AiService,
	ChatService,
	ConversationMessage_MessageType as MessageType,
	StreamChatRequest_Role as Role,
	StreamUnifiedChatRequestWithToolsSchema,
} from "@cursorwire/protocol/aiserver";
import { describe, expect, it } from "vitest";
import type { Emulator, ShownEntry, ShownPart, ShownPrompt, ShownResult } from "../src/index.ts";
import { useEmulators } from "./kit/emulators.ts";
import { execResult, RunClient, streamClose } from "./kit/run-client.ts";

const start = useEmulators();

const PNG = Buffer.from("\x89PNG but not a picture", "latin1");
const RULE = "Answer in the language of the question.";
const state = (fields: Partial<ConversationStateStructure>) => fields as ConversationStateStructure;
const json = (value: unknown) => Buffer.from(JSON.stringify(value));

async function prompts(emulator: Emulator): Promise<ShownPrompt[]> {
	const response = await fetch(`${emulator.url}/__emulator/prompts`);
	return ((await response.json()) as { prompts: ShownPrompt[] }).prompts;
}

/** Role and content without the counts. */
const plain = (entry: ShownEntry | null) => entry && [entry.role, ...entry.parts.map(plainPart)];
function plainPart(part: ShownPart): unknown {
	if (part.type === "text" || part.type === "reasoning") return part.text;
	if (part.type === "image") return `${part.mediaType} ${part.bytes}`;
	if (part.type === "tool-call") return { call: part.toolName, args: part.args };
	const { toolName: result, isError, parts } = part as ShownResult;
	return { result, isError, parts: parts.map(plainPart) };
}

describe("the model's eye", () => {
	it.each([
		["Run", "2"],
		["RunSSE", "1.1"],
	] as const)(
		"%s: system by channel, tools by place, history, newest message, images, and what is there twice",
		async (carrier, httpVersion) => {
			const emulator = await start({
				brain: "echo",
				accounts: { accounts: [{ id: "user_1", apiKeys: ["key_demo"], customSystemPrompt: true }] },
			});
			const client = await RunClient.connect(emulator, { httpVersion });
			const roots = [
				{ role: "system", content: RULE },
				{
					role: "user",
					content: [
						{ type: "text", text: "first part" },
						{ type: "text", text: "second part" },
						{ type: "image", image: `data:image/png;base64,${PNG.toString("base64")}`, mediaType: "image/png" },
					],
				},
				{
					role: "assistant",
					content: [
						{ type: "text", text: "let me look" },
						{ type: "tool-call", toolCallId: "call_1", toolName: "look", args: { at: "it" } },
					],
				},
				{
					role: "tool",
					id: "call_1",
					content: [{ type: "tool-result", toolName: "look", toolCallId: "call_1", result: "nothing", isError: true }],
				},
			].map((entry) => client.keep(json(entry)));
			const tool = { name: "look", description: "Looks.", inputSchemaJson: '{"type":"object"}' };
			await client.run({
				carrier,
				request: {
					conversationState: state({ rootPromptMessagesJson: roots }),
					customSystemPrompt: "Be kind.",
					mcpTools: { mcpTools: [tool] },
					action: {
						action: {
							case: "userMessageAction",
							value: {
								userMessage: {
									textBlobId: client.keep(Buffer.from("and now?")),
									selectedContext: {
										selectedImages: [{ mimeType: "image/png", dataOrBlobId: { case: "data", value: PNG } }],
										extraContext: ["a file"],
									},
								},
								requestContext: {
									rules: [{ content: `${RULE} Always.` }],
									nonFileRules: [{ content: "No files." }],
									cloudRule: RULE,
									tools: [tool],
									env: { timeZone: "Europe/Oslo" },
									webSearchEnabled: false,
								},
							},
						},
					},
				},
			});
			const [prompt] = await prompts(emulator);
			expect(prompt).toMatchObject({ number: 1, protocol: "agent", rpc: carrier, conversationId: "conversation-1" });
			expect(prompt!.system.map(({ channel, text }) => [channel, text])).toEqual([
				["custom_system_prompt", "Be kind."],
				["root_prompt_messages", RULE],
				["rules", `${RULE} Always.`],
				["non_file_rules", "No files."],
				["cloud_rule", RULE],
			]);
			expect(prompt!.tools).toEqual(
				["run_request.mcp_tools", "request_context.tools"].map((place) => ({
					place,
					name: "look",
					description: "Looks.",
					inputSchema: { type: "object" },
					tokens: expect.any(Number),
				})),
			);
			expect(prompt!.history.map(plain)).toEqual([
				["user", "first part", "second part", `image/png ${PNG.length}`],
				["assistant", "let me look", { call: "look", args: { at: "it" } }],
				["tool", { result: "look", isError: true, parts: ["nothing"] }],
			]);
			expect(plain(prompt!.newest)).toEqual(["user", "and now?", `image/png ${PNG.length}`]);
			expect(prompt!.context).toEqual({
				"request_context.env": { timeZone: "Europe/Oslo" },
				"selected_context.extraContext": ["a file"],
			});
			expect(prompt!.twice).toEqual([
				{ what: "text", name: RULE, places: ["system root_prompt_messages", "system cloud_rule", "system rules"] },
				{ what: "image", name: expect.stringMatching(/^[0-9a-f]{64}$/), places: ["history 1", "newest"] },
				{ what: "tool", name: "look", places: ["run_request.mcp_tools", "request_context.tools"] },
			]);
			expect(prompt!.tokens.newest).toBe(3);
			const { total, ...parts } = prompt!.tokens;
			expect(total).toBe(Object.values(parts).reduce((sum, count) => sum + count));
		},
	);

	it("shows only the channels and places that the switches let the model read", async () => {
		const emulator = await start({ brain: "echo", switches: ["system-prompt=cloud-rule", "tools-from=run-request"] });
		const client = await RunClient.connect(emulator);
		const requestContext = { rules: [{ content: RULE }], cloudRule: RULE, tools: [{ name: "look" }] };
		await client.run({
			request: {
				mcpTools: { mcpTools: [{ name: "look" }] },
				action: {
					action: { case: "userMessageAction", value: { userMessage: { text: "hello" }, requestContext } },
				},
			},
		});
		const [prompt] = await prompts(emulator);
		expect(prompt!.system.map(({ channel }) => channel)).toEqual(["cloud_rule"]);
		expect(prompt!.tools.map(({ place }) => place)).toEqual(["run_request.mcp_tools"]);
		expect(prompt!.twice).toEqual([]);
	});

	it("shows results in the prompt that they go on with, and in the history of the next", async () => {
		const emulator = await start({
			async *brain(turn) {
				if (turn.resumed || turn.messages.length > 1) return;
				yield { thinking: "hm" };
				yield { text: "let me " };
				yield { text: "look" };
				yield { calls: [{ name: "look", arguments: { at: "it" } }] };
				yield { exec: { kind: "read", args: { path: "a.txt" } } };
				yield { text: "seen" };
			},
		});
		const client = await RunClient.connect(emulator);
		const first = await client.run({
			tools: [{ name: "look" }],
			onExec: (exec) => {
				if (exec.message.case === "readArgs") {
					const value = { result: { case: "fileNotFound" as const, value: { path: "a.txt" } } };
					return [execResult(exec, { case: "readResult", value }), streamClose(exec)];
				}
				const content = ["one", "two"].map((text) => ({ content: { case: "text" as const, value: { text } } }));
				const value = { result: { case: "success" as const, value: { content } } };
				return [execResult(exec, { case: "mcpResult", value }), streamClose(exec)];
			},
		});
		await client.run({ prompt: "and?", state: first.checkpoints.at(-1) });
		await client.run({ resume: true, state: first.checkpoints.at(-1) });
		const [prompt, next, resumed] = await prompts(emulator);
		expect(prompt!.since.map(plain)).toEqual([
			["assistant", "hm", "let me look", { call: "look", args: { at: "it" } }],
			["tool", { result: "look", isError: false, parts: ["one", "two"] }],
			["assistant", { call: "read", args: { path: "a.txt" } }],
			["tool", { result: "read", isError: false, parts: [expect.stringContaining('"path":"a.txt"')] }],
			["assistant", "seen"],
		]);
		expect(prompt!.tokens.since).toBeGreaterThan(0);
		expect(plain(next!.newest)).toEqual(["user", "and?"]);
		expect(next!.history.map(({ role }) => role)).toEqual([
			"user",
			"assistant",
			"tool",
			"assistant",
			"tool",
			"assistant",
		]);
		expect(plain(next!.history[2]!)).toEqual(["tool", { result: "look", isError: false, parts: ["one\n\ntwo"] }]);
		expect(resumed!.newest).toBeNull();
		expect(resumed!.history).toHaveLength(6);
	});

	it("sees a unified chat", async () => {
		const emulator = await start({ brain: "echo" });
		const client = await RunClient.connect(emulator);
		const value = {
			conversation: [
				{ type: MessageType.HUMAN, text: "look", images: [{ data: PNG }], cursorRules: [{ body: "Only here." }] },
				{
					type: MessageType.AI,
					text: "I do",
					toolResults: [
						{ toolCallId: "c", toolName: "see", rawArgs: '{"a":1}', content: "seen", images: [{ data: PNG }] },
					],
				},
				{ type: MessageType.HUMAN, text: "and?" },
			],
			modelDetails: { modelName: "claude-4.6-sonnet" },
			conversationId: "c1",
			explicitContext: { context: RULE, rules: [{ body: RULE }] },
			mcpTools: [{ name: "see", description: "Sees.", parameters: '{"type":"object"}', serverName: "client" }],
			customPlanningInstructions: "plan well",
		};
		const request = create(StreamUnifiedChatRequestWithToolsSchema, {
			request: { case: "streamUnifiedChatRequest", value },
		});
		const responses = createClient(ChatService, client.transport).streamUnifiedChatWithTools(only(request), {
			headers: client.headers(),
		});
		for await (const _ of responses);
		const [prompt] = await prompts(emulator);
		expect(prompt).toMatchObject({
			protocol: "unified",
			rpc: "StreamUnifiedChatWithTools",
			model: "claude-4.6-sonnet",
		});
		expect(prompt!.system.map(({ channel, text }) => [channel, text])).toEqual([
			["explicit_context.context", RULE],
			["explicit_context.rules", RULE],
			["cursor_rules", "Only here."],
		]);
		expect(prompt!.tools).toMatchObject([{ place: "mcp_tools", name: "see", inputSchema: { type: "object" } }]);
		expect(prompt!.history.map(plain)).toEqual([
			["user", "look", `image/png ${PNG.length}`],
			["assistant", "I do", { call: "see", args: { a: 1 } }],
			["tool", { result: "see", isError: false, parts: ["seen", `image/png ${PNG.length}`] }],
		]);
		expect(plain(prompt!.newest)).toEqual(["user", "and?"]);
		expect(prompt!.context).toEqual({ "request.customPlanningInstructions": "plan well" });
		expect(prompt!.twice.map(({ what, places }) => [what, places])).toEqual([
			["text", ["system explicit_context.context", "system explicit_context.rules"]],
			["image", ["history 1", "history 3"]],
		]);
	});

	it("sees a legacy chat", async () => {
		const emulator = await start({ brain: "echo" });
		const client = await RunClient.connect(emulator, { httpVersion: "1.1" });
		const messages = [
			{ role: Role.SYSTEM, content: "Be brief." },
			{ role: Role.USER, content: "hello" },
			{ role: Role.ASSISTANT, content: "hi" },
			{ role: Role.USER, content: "and?" },
		];
		const responses = createClient(AiService, client.transport).streamChat(
			{ messages, instructions: { instruction: RULE }, model: { name: "claude-4.6-sonnet" } },
			{ headers: client.headers() },
		);
		for await (const _ of responses);
		const [prompt] = await prompts(emulator);
		expect(prompt).toMatchObject({ protocol: "legacy", rpc: "StreamChat" });
		expect(prompt!.system.map(({ channel, text }) => [channel, text])).toEqual([
			["instructions", RULE],
			["system_messages", "Be brief."],
		]);
		expect([...prompt!.history, prompt!.newest].map(plain)).toEqual([
			["user", "hello"],
			["assistant", "hi"],
			["user", "and?"],
		]);
		expect(prompt!.since.map(plain)).toEqual([["assistant", "and?"]]);
	});

	it("keeps the newest prompts, and forgets them when told to", async () => {
		const emulator = await start({ brain: async function* () {}, requestLog: 2 });
		const client = await RunClient.connect(emulator);
		const asked = async () => (await prompts(emulator)).map(({ number }) => number);
		for (let count = 0; count < 3; count++) await client.run();
		expect(await asked()).toEqual([2, 3]);
		expect((await fetch(`${emulator.url}/__emulator/prompts`, { method: "DELETE" })).status).toBe(200);
		expect(await asked()).toEqual([]);
	});
});

async function* only<T>(value: T): AsyncGenerator<T> {
	yield value;
}
