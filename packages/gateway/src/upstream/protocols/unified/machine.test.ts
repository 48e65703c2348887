import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import {
	ClientSideToolV2,
	StreamUnifiedChatRequestWithToolsSchema,
	StreamUnifiedChatResponseWithToolsSchema,
} from "@cursorwire/protocol/aiserver";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../turn/error.ts";
import { Grammar } from "../../../turn/grammar.ts";
import type { ToolDefinition } from "../../../turn/request.ts";
import { Census } from "../../census/census.ts";
import { DEFAULT_SIZE_LIMITS } from "../../run/size-limits.ts";
import { ToolNames } from "../../writing/tool-names.ts";
import type { MachineOutput } from "../machine.ts";
import { UnifiedMachine } from "./machine.ts";

const TOOLS: ToolDefinition[] = [
	{ name: "look", description: "", inputSchema: { type: "object" }, kind: "function" },
	{ name: "patch", description: "", inputSchema: { type: "object" }, kind: "freeform" },
	{
		name: "bash",
		description: "",
		inputSchema: { type: "object", properties: { command: { type: "string" } } },
		kind: "function",
	},
];

function newMachine(parallelToolCalls = true) {
	let ids = 0;
	const census = new Census({ now: () => 0 });
	const machine = new UnifiedMachine({
		names: new ToolNames(TOOLS),
		tools: TOOLS,
		parallelToolCalls,
		limits: DEFAULT_SIZE_LIMITS,
		newCallId: () => `call_${ids++}`,
		countUnknown: census.counterFor("test"),
	});
	const out: MachineOutput = { events: [], messages: [] };
	return { machine, census, out };
}

type Response = MessageInitShape<typeof StreamUnifiedChatResponseWithToolsSchema>["response"];
const frame = (response: Response) =>
	toBinary(StreamUnifiedChatResponseWithToolsSchema, create(StreamUnifiedChatResponseWithToolsSchema, { response }));
const says = (value: Extract<Response, { case: "streamUnifiedChatResponse" }>["value"]) =>
	frame({ case: "streamUnifiedChatResponse", value });
const calls = (value: Extract<Response, { case: "clientSideToolV2Call" }>["value"]) =>
	frame({ case: "clientSideToolV2Call", value });
const mcp = (name: string, parameters = "{}") => ({
	tool: ClientSideToolV2.MCP,
	params: { case: "mcpParams" as const, value: { tools: [{ name, parameters, serverName: "client" }] } },
});
const bytes = (text: string) => Buffer.from(text);
const toolCalls = ({ events }: MachineOutput) =>
	events.flatMap((event) => (event.type === "tool-call" ? [[event.name, event.arguments]] : []));
const sent = ({ messages }: MachineOutput) =>
	messages.map((message) => fromBinary(StreamUnifiedChatRequestWithToolsSchema, message).request.value);

describe("the unified chat", () => {
	it("knows a tool by server and name, by the newer form, and as text", () => {
		const { machine, out } = newMachine();
		machine.receive(calls({ toolCallId: "1", ...mcp("mcp_client_look", '{"a":1}') }), out);
		machine.receive(
			calls({
				toolCallId: "2",
				tool: ClientSideToolV2.CALL_MCP_TOOL,
				params: { case: "callMcpToolParams", value: { server: "client", toolName: "look", toolArgs: { a: 2 } } },
			}),
			out,
		);
		machine.receive(calls({ toolCallId: "3", ...mcp("patch", '{"input":"*** begin"}') }), out);
		machine.receive(says({ parallelToolCallsComplete: true }), out);
		expect(toolCalls(out)).toEqual([
			["look", '{"a":1}'],
			["look", '{"a":2}'],
			["patch", "*** begin"],
		]);
		out.events = [];
		const content = [{ type: "text" as const, text: "r" }];
		machine.giveResults(
			machine.pendingCalls.map((callId) => ({ type: "tool-result", callId, content, isError: false })),
			out,
		);
		expect(sent(out)).toMatchObject([
			{ toolCallId: "1", result: { case: "mcpResult", value: { result: "r" } } },
			{ toolCallId: "2", result: { case: "callMcpToolResult", value: { toolName: "look", result: { content: "r" } } } },
			{ toolCallId: "3", result: { case: "mcpResult" } },
		]);
	});

	it("A22: arguments that are no JSON reach the client as the text they are", () => {
		const { machine, out } = newMachine();
		machine.receive(calls({ toolCallId: "1", ...mcp("look", "rm -rf / {") }), out);
		machine.receive(says({ parallelToolCallsComplete: true }), out);
		expect(toolCalls(out)).toEqual([["look", "rm -rf / {"]]);
	});

	it("refuses a call that would lose its argument named __proto__", () => {
		const { machine, out } = newMachine();
		const value = { server: "client", toolName: "look", toolArgs: { __proto_X: 1, a: 2 } };
		const call = calls({ toolCallId: "1", params: { case: "callMcpToolParams", value } });
		const renamed = Buffer.from(Buffer.from(call).toString("latin1").replace("__proto_X", "__proto__"), "latin1");
		expect(() => machine.receive(renamed, out)).toThrow(/an argument named __proto__/);
	});

	it.each([
		["pieces", ['{"a":', '"x', '😀"}']],
		["all that is known so far", ['{"a":', '{"a":"x', '{"a":"x😀"}']],
	])("streams arguments that come as %s", (_how, texts) => {
		const { machine, out } = newMachine();
		for (const [index, rawArgs] of texts.entries()) {
			const isLastMessage = index === texts.length - 1;
			machine.receive(calls({ toolCallId: "1", ...mcp("look", ""), rawArgs, isStreaming: true, isLastMessage }), out);
		}
		machine.receive(says({ parallelToolCallsComplete: true }), out);
		expect(out.events.filter(({ type }) => type === "tool-input-delta").length).toBeGreaterThan(1);
		expect(toolCalls(out)).toEqual([["look", '{"a":"x😀"}']]);
	});

	it("waits for a call that was shown, but not for one that the server has run itself", () => {
		const { machine, out } = newMachine();
		const shown = (toolCallId: string) => says({ partialToolCall: { tool: ClientSideToolV2.MCP, toolCallId } });
		machine.receive(shown("1"), out);
		machine.receive(shown("2"), out);
		machine.receive(calls({ toolCallId: "1", ...mcp("look") }), out);
		machine.receive(says({ parallelToolCallsComplete: true }), out);
		expect([toolCalls(out), machine.needsGrace]).toEqual([[], false]);
		machine.receive(says({ finalToolResult: { toolCallId: "2" } }), out);
		expect(toolCalls(out)).toEqual([["look", "{}"]]);
	});

	it("takes intermediate text for thinking, apart from the answer", () => {
		const { machine, out } = newMachine();
		machine.receive(says({ intermediateText: "hm, " }), out);
		machine.receive(says({ thinking: { text: bytes("well") } }), out);
		machine.receive(says({ text: bytes("yes") }), out);
		machine.streamEnded(out);
		const said = out.events.flatMap((event) => ("text" in event ? [[event.type, event.text]] : []));
		expect(said).toEqual([
			["thinking-delta", "hm, well"],
			["text-delta", "yes"],
		]);
	});

	const shownAlone = (toolCallId: string, name: string, rawArgs: string) =>
		says({
			toolCall: {
				tool: ClientSideToolV2.MCP,
				toolCallId,
				name,
				rawArgs,
				params: { case: "mcpStream", value: { tools: [{ name, parameters: rawArgs, serverName: "client" }] } },
			},
		});

	it("takes a call that is only shown for the call, when nothing follows", () => {
		const { machine, out } = newMachine();
		machine.receive(shownAlone("1", "look", '{"a":1}'), out);
		machine.receive(shownAlone("2", "patch", '{"input":"*** begin"}'), out);
		expect([toolCalls(out), machine.needsGrace]).toEqual([[], true]);
		machine.graceElapsed(out);
		expect(toolCalls(out)).toEqual([
			["look", '{"a":1}'],
			["patch", "*** begin"],
		]);
		expect(out.events.at(-1)).toEqual({ type: "turn-end", reason: "tool-calls" });
		// The request itself may still come: it is the same call.
		const before = out.events.length;
		machine.receive(calls({ toolCallId: "1", ...mcp("look", '{"a":1}') }), out);
		expect(out.events.slice(before).map(({ type }) => type)).toEqual(["activity"]);
		const content = [{ type: "text" as const, text: "r" }];
		machine.giveResults(
			machine.pendingCalls.map((callId) => ({ type: "tool-result", callId, content, isError: false })),
			out,
		);
		expect(sent(out)).toMatchObject([
			{ toolCallId: "1", tool: ClientSideToolV2.MCP, result: { case: "mcpResult", value: { result: "r" } } },
			{ toolCallId: "2" },
		]);
	});

	it("bridges a built-in call that is only shown, by the arguments of the model", () => {
		const { machine, out } = newMachine();
		const rawArgs = '{"command":"ls","explanation":"to see"}';
		const tool = ClientSideToolV2.RUN_TERMINAL_COMMAND_V2;
		const params = { case: "runTerminalCommandV2Stream" as const, value: {} };
		machine.receive(says({ toolCall: { tool, toolCallId: "1", rawArgs, params } }), out);
		machine.graceElapsed(out);
		expect(toolCalls(out)).toEqual([["bash", '{"command":"ls"}']]);
	});

	it("hands over a call that was only shown where the stream ends with it", () => {
		const { machine, out } = newMachine();
		machine.receive(shownAlone("1", "look", "{}"), out);
		machine.streamEnded(out);
		expect([toolCalls(out), out.events.at(-1)]).toEqual([[["look", "{}"]], { type: "turn-end", reason: "tool-calls" }]);
	});

	it("does not take what is shown for a call where it was asked for, has been run, or is not complete", () => {
		const { machine, out } = newMachine();
		machine.receive(calls({ toolCallId: "1", ...mcp("look") }), out);
		machine.receive(shownAlone("1", "look", "{}"), out);
		machine.receive(shownAlone("2", "look", "{}"), out);
		machine.receive(says({ finalToolResult: { toolCallId: "2" } }), out);
		machine.receive(says({ parallelToolCallsComplete: true }), out);
		expect(toolCalls(out)).toEqual([["look", "{}"]]);
		const other = newMachine();
		other.machine.receive(shownAlone("3", "look", '{"a":'), other.out);
		const web = { tool: ClientSideToolV2.WEB_SEARCH, toolCallId: "4", rawArgs: '{"search_term":"x"}' };
		other.machine.receive(says({ toolCall: { ...web, params: { case: "webSearchStream", value: {} } } }), other.out);
		expect(other.machine.needsGrace).toBe(false);
	});

	it("hands over the calls that a stream ends with", () => {
		const { machine, out } = newMachine();
		machine.receive(calls({ toolCallId: "1", ...mcp("look") }), out);
		machine.streamEnded(out);
		expect(out.events.at(-1)).toEqual({ type: "turn-end", reason: "tool-calls" });
	});

	it("takes what has no place in an answer for a sign of life", () => {
		const { machine, out, census } = newMachine();
		machine.receive(frame({ case: "streamStart", value: {} }), out);
		machine.receive(frame({ case: "conversationSummary", value: { summary: "s" } }), out);
		machine.receive(says({ webCitation: { references: [{ url: "u" }] }, usageUuid: "u" }), out);
		machine.receive(says({ serviceStatusUpdate: { message: "slow" } }), out);
		expect(out.events.map(({ type }) => type)).toEqual(["activity", "activity", "activity", "activity"]);
		expect(census.rows()).toEqual([]);
	});

	it("tells how full the window was, and how much had been said then", () => {
		const { machine, out } = newMachine();
		machine.receive(says({ text: bytes("12345678"), contextWindowStatus: { tokensUsed: 100, tokenLimit: 1000 } }), out);
		machine.receive(says({ text: bytes("12345678") }), out);
		machine.streamEnded(out);
		expect(out.events.find(({ type }) => type === "told-usage")).toMatchObject({
			told: { context: { tokens: 100, outputShare: 0.5 } },
		});
	});

	it("says what it says in a legal order, whatever comes in whatever order", () => {
		const text = fc.string({ maxLength: 8 }).map(bytes);
		const id = fc.constantFrom("a", "b", "c");
		const name = fc.constantFrom("look", "patch", "bash", "nobody");
		const anyFrame = fc.oneof(
			text.map((said) => says({ text: said })),
			fc
				.tuple(text, fc.boolean())
				.map(([said, isLastThinkingChunk]) => says({ thinking: { text: said, isLastThinkingChunk } })),
			fc.tuple(id, name).map(([toolCallId, tool]) => calls({ toolCallId, ...mcp(tool, '{"x":1}') })),
			fc
				.tuple(id, name, fc.constantFrom('{"x"', ":1}", ""), fc.boolean())
				.map(([toolCallId, tool, rawArgs, isLastMessage]) =>
					calls({ toolCallId, ...mcp(tool, ""), rawArgs, isStreaming: true, isLastMessage }),
				),
			id.map((toolCallId) =>
				calls({
					toolCallId,
					tool: ClientSideToolV2.RUN_TERMINAL_COMMAND_V2,
					params: { case: "runTerminalCommandV2Params", value: { command: "ls" } },
				}),
			),
			id.map((toolCallId) => calls({ toolCallId, tool: 999 as ClientSideToolV2 })),
			id.map((toolCallId) => says({ partialToolCall: { tool: ClientSideToolV2.MCP, toolCallId } })),
			id.map((toolCallId) => says({ finalToolResult: { toolCallId } })),
			fc.tuple(id, name).map(([toolCallId, tool]) => shownAlone(toolCallId, tool, '{"x":1}')),
			text.map((said) => says({ intermediateText: said.toString() })),
			fc.constant(says({ parallelToolCallsComplete: true })),
			fc.constant(says({ shouldBreakAiMessage: true })),
			fc.constant(frame({ case: "streamStart", value: {} })),
			fc.uint8Array({ maxLength: 12 }),
		);
		fc.assert(
			fc.property(fc.array(anyFrame, { maxLength: 30 }), fc.boolean(), (frames, parallel) => {
				const { machine, out } = newMachine(parallel);
				let grammar = new Grammar();
				const begin = () => grammar.accept({ type: "turn-start", runId: "", model: "", path: "new" });
				begin();
				const check = () => {
					for (const event of out.events.splice(0)) {
						if (grammar.ended) {
							grammar = new Grammar();
							begin();
						}
						grammar.accept(event);
					}
				};
				try {
					for (const each of frames) {
						machine.receive(each, out);
						check();
						if (machine.needsGrace) machine.graceElapsed(out);
						check();
						while (machine.pendingCalls.length > 0) {
							const results = machine.pendingCalls.map((callId) => ({
								type: "tool-result" as const,
								callId,
								content: [],
								isError: false,
							}));
							machine.giveResults(results, out);
							check();
						}
					}
					machine.streamEnded(out);
					check();
				} catch (error) {
					expect(error).toBeInstanceOf(GatewayError);
				}
			}),
			{ numRuns: 500 },
		);
	});
});
