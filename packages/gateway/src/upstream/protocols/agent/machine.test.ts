import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { AgentClientMessageSchema, AgentServerMessageSchema, ToolCallSchema } from "@cursorwire/protocol/agent";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../turn/error.ts";
import { Grammar } from "../../../turn/grammar.ts";
import type { ToolDefinition } from "../../../turn/request.ts";
import { Census } from "../../census/census.ts";
import { DEFAULT_SIZE_LIMITS } from "../../run/size-limits.ts";
import { ToolNames } from "../../writing/tool-names.ts";
import type { MachineOutput } from "../machine.ts";
import { RunBlobs } from "./blobs.ts";
import { AgentMachine } from "./machine.ts";

const TOOLS: ToolDefinition[] = [
	{ name: "look", description: "", inputSchema: { type: "object" }, kind: "function" },
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
	const machine = new AgentMachine({
		names: new ToolNames(TOOLS),
		tools: TOOLS,
		context: new Uint8Array(),
		blobs: new RunBlobs(),
		parallelToolCalls,
		cacheTokens: "included",
		limits: DEFAULT_SIZE_LIMITS,
		newCallId: () => `call_${ids++}`,
		countUnknown: census.counterFor("test"),
		resume: () => new Uint8Array(),
	});
	return { machine, census };
}

type ServerMessage = MessageInitShape<typeof AgentServerMessageSchema>["message"];
const frame = (message: ServerMessage) =>
	toBinary(AgentServerMessageSchema, create(AgentServerMessageSchema, { message }));
const update = (message: object) => frame({ case: "interactionUpdate", value: { message } } as ServerMessage);

const bytes = fc.string({ maxLength: 8 }).map((text) => Buffer.from(text));
const callId = fc.constantFrom("a", "b", "c");
const wireName = fc.constantFrom("look", "bash", "nobody");
const mcpCall = (name: string) => ({ tool: { case: "mcpToolCall", value: { args: { name } } } });

/** Anything a server may say, in any order, also in orders that make no sense. */
const anyFrame: fc.Arbitrary<Uint8Array> = fc.oneof(
	bytes.map((text) => update({ case: "textDelta", value: { text } })),
	bytes.map((text) => update({ case: "thinkingDelta", value: { text } })),
	fc.constant(update({ case: "thinkingCompleted", value: {} })),
	fc.constant(update({ case: "heartbeat", value: {} })),
	fc.constant(update({ case: "stepCompleted", value: {} })),
	fc.nat(3).map((callCount) => update({ case: "toolRequestsListed", value: { callCount } })),
	fc
		.tuple(callId, wireName)
		.map(([id, name]) => update({ case: "toolCallStarted", value: { callId: id, toolCall: mcpCall(name) } })),
	fc
		.tuple(callId, wireName, bytes)
		.map(([id, name, argsTextDelta]) =>
			update({ case: "partialToolCall", value: { callId: id, toolCall: mcpCall(name), argsTextDelta } }),
		),
	fc.tuple(fc.nat(9), callId, wireName).map(([id, toolCallId, name]) =>
		frame({
			case: "execServerMessage",
			value: { id, message: { case: "mcpArgs", value: { name, toolName: name, toolCallId } } },
		}),
	),
	fc
		.nat(9)
		.map((id) =>
			frame({ case: "execServerMessage", value: { id, message: { case: "shellArgs", value: { command: "ls" } } } }),
		),
	fc
		.nat(9)
		.map((id) =>
			frame({ case: "execServerMessage", value: { id, message: { case: "requestContextArgs", value: {} } } }),
		),
	fc
		.nat(9)
		.map((id) => frame({ case: "execServerControlMessage", value: { message: { case: "abort", value: { id } } } })),
	fc.nat(9).map((id) => frame({ case: "interactionQuery", value: { id } })),
	fc.constant(frame({ case: "conversationCheckpointUpdate", value: {} })),
	fc.constant(Buffer.from([0xfa, 0x07, 0x00])),
);

describe("the agent machine", () => {
	it("keeps to the grammar whatever the server says, and fails only in words", () => {
		fc.assert(
			fc.property(fc.array(anyFrame, { maxLength: 40 }), fc.boolean(), (frames, parallel) => {
				const { machine } = newMachine(parallel);
				let grammar = new Grammar();
				const begin = () => grammar.accept({ type: "turn-start", runId: "", model: "", path: "new" });
				begin();
				const out: MachineOutput = { events: [], messages: [] };
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
						if (machine.pendingCalls.length > 0) {
							const results = machine.pendingCalls.map((id) => ({
								type: "tool-result" as const,
								callId: id,
								content: [],
								isError: false,
							}));
							machine.giveResults(results, out);
							check();
						}
					}
				} catch (error) {
					expect(error).toBeInstanceOf(GatewayError);
				}
			}),
			{ numRuns: 500 },
		);
	});

	it("U24: counts what it does not know and goes on", () => {
		const { machine, census } = newMachine();
		const out: MachineOutput = { events: [], messages: [] };
		const field127 = [0xfa, 0x07, 0x00];
		machine.receive(Buffer.from(field127), out);
		machine.receive(Buffer.from([0x3a, 5, 0x08, 3, ...field127]), out);
		machine.receive(Buffer.from([0x12, 5, 0x08, 4, ...field127]), out);
		expect(census.rows().map(({ what, path }) => [what, path])).toEqual([
			["kind", "agent.v1.AgentServerMessage.127"],
			["kind", "agent.v1.AgentServerMessage.interaction_query.127"],
			["kind", "agent.v1.AgentServerMessage.exec_server_message.127"],
		]);
		// The query and the request are answered: the one emptily, the other with a throw and a close.
		expect(out.messages).toHaveLength(3);
	});

	it("names the tool and what to use instead when it turns down a request of no known kind", () => {
		const { machine } = newMachine();
		const out: MachineOutput = { events: [], messages: [] };
		// A call of the kind create_goal_tool_call, 70, which the proto files leave out.
		const toolCall = fromBinary(ToolCallSchema, Uint8Array.of(0xb2, 0x04, 0x00));
		machine.receive(update({ case: "toolCallStarted", value: { callId: "g", toolCall } }), out);
		machine.receive(frame({ case: "execServerMessage", value: { id: 4 } }), out);
		const [thrown] = out.messages.map((message) => fromBinary(AgentClientMessageSchema, message).message);
		expect(thrown).toMatchObject({ value: { message: { case: "throw", value: { id: 4 } } } });
		expect(JSON.stringify(thrown)).toContain(
			JSON.stringify(
				"This built-in tool is not available here. It is Cursor's own create_goal. Use the tools of this conversation instead: look, bash.",
			).slice(1, -1),
		);
	});

	it("A22: two calls under one id of the server's are two calls of the client's, each with its own answer", () => {
		const { machine } = newMachine();
		const out: MachineOutput = { events: [], messages: [] };
		for (const id of [1, 2]) {
			const value = { name: "look", toolName: "look", toolCallId: "the same" };
			machine.receive(frame({ case: "execServerMessage", value: { id, message: { case: "mcpArgs", value } } }), out);
		}
		machine.receive(update({ case: "toolRequestsListed", value: { callCount: 2 } }), out);
		const ids = out.events.flatMap((event) => (event.type === "tool-call" ? [event.id] : []));
		expect(new Set(ids).size).toBe(2);
		expect(machine.pendingCalls).toEqual(ids);
		const results = ids.map((callId) => ({ type: "tool-result" as const, callId, content: [], isError: false }));
		machine.giveResults(results, out);
		expect(machine.pendingCalls).toEqual([]);
		// An id that comes once more, later, is another call again.
		const value = { name: "look", toolName: "look", toolCallId: "the same" };
		machine.receive(frame({ case: "execServerMessage", value: { id: 3, message: { case: "mcpArgs", value } } }), out);
		machine.graceElapsed(out);
		expect(machine.pendingCalls).toHaveLength(1);
		expect(ids).not.toContain(machine.pendingCalls[0]);
	});

	it("A22: streamed arguments that are no JSON, and are not those of the call, end the turn in words", () => {
		const { machine } = newMachine();
		const out: MachineOutput = { events: [], messages: [] };
		const argsTextDelta = Buffer.from("rm -rf /");
		machine.receive(
			update({ case: "partialToolCall", value: { callId: "a", toolCall: mcpCall("look"), argsTextDelta } }),
			out,
		);
		const value = { name: "look", toolName: "look", toolCallId: "a" };
		const call = frame({ case: "execServerMessage", value: { id: 1, message: { case: "mcpArgs", value } } });
		expect(() => machine.receive(call, out)).toThrow(/arguments of a tool call changed/);
		expect(out.events.some(({ type }) => type === "tool-call")).toBe(false);
	});

	it("fails honestly where a blob is asked for that is not here", () => {
		const { machine } = newMachine();
		const ask = frame({
			case: "kvServerMessage",
			value: { id: 1, message: { case: "getBlobArgs", value: { blobId: Buffer.alloc(32) } } },
		});
		expect(() => machine.receive(ask, { events: [], messages: [] })).toThrow(/not here/);
	});
});
