import { create, type DescMessage, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import {
	AgentServerMessageSchema,
	ConversationStateStructureSchema,
	ReadTodosArgsSchema,
	ThinkingStyle,
	type TodoStatus,
} from "@cursorwire/protocol/agent";
import { AvailableModelsResponseSchema } from "@cursorwire/protocol/aiserver";
import { describe, expect, it } from "vitest";
import { tellUnknown, type UnknownPart } from "./unknown-parts.ts";

/** Field 127 with three wire types. */
const VARINT = [0xf8, 0x07, 5];
const BYTES = [0xfa, 0x07, 1, 0x41];
const FIXED = [0xfd, 0x07, 1, 2, 3, 4];

function partsOf(schema: DescMessage, bytes: Uint8Array): UnknownPart[] {
	const parts: UnknownPart[] = [];
	tellUnknown(schema, fromBinary(schema, bytes), (part) => parts.push(part));
	return parts;
}

const pathsOf = (schema: DescMessage, bytes: Uint8Array) => partsOf(schema, bytes).map(({ path }) => path);
const lengthDelimited = (tag: number, bytes: readonly number[]) => [tag, bytes.length, ...bytes];
const bytesOf = <D extends DescMessage>(schema: D, init: MessageInitShape<D>) => [
	...toBinary(schema, create(schema, init)),
];

describe("what is unknown in a message", () => {
	it("is told by path, message, number and wire type, and by nothing of its content", () => {
		const bytes = Buffer.from([...lengthDelimited(0x0a, [...lengthDelimited(0x6a, VARINT), ...FIXED]), ...BYTES]);
		expect(partsOf(AgentServerMessageSchema, bytes)).toEqual([
			{
				what: "field",
				path: "agent.v1.AgentServerMessage.127",
				message: "agent.v1.AgentServerMessage",
				field: 127,
				wireType: "length-delimited",
			},
			{
				what: "field",
				path: "agent.v1.AgentServerMessage.interaction_update.127",
				message: "agent.v1.InteractionUpdate",
				field: 127,
				wireType: "32-bit",
			},
			{
				what: "field",
				path: "agent.v1.AgentServerMessage.interaction_update.heartbeat.127",
				message: "agent.v1.HeartbeatUpdate",
				field: 127,
				wireType: "varint",
			},
		]);
	});

	it("is a kind where none of the known ones stands", () => {
		const parts = partsOf(AgentServerMessageSchema, Buffer.from(lengthDelimited(0x0a, BYTES)));
		expect(parts).toMatchObject([{ what: "kind", path: "agent.v1.AgentServerMessage.interaction_update.127" }]);
	});

	it("is a value that an enum does not have, alone and in a list", () => {
		const thinking = bytesOf(AgentServerMessageSchema, {
			message: {
				case: "interactionUpdate",
				value: { message: { case: "thinkingDelta", value: { thinkingStyle: 77 as ThinkingStyle } } },
			},
		});
		expect(partsOf(AgentServerMessageSchema, Buffer.from(thinking))).toEqual([
			{
				what: "enum-value",
				path: "agent.v1.AgentServerMessage.interaction_update.thinking_delta.thinking_style",
				message: "agent.v1.ThinkingDeltaUpdate",
				field: 2,
				value: 77,
			},
		]);
		const list = bytesOf(ReadTodosArgsSchema, { statusFilter: [1, 99 as TodoStatus, 2] });
		expect(partsOf(ReadTodosArgsSchema, Buffer.from(list))).toMatchObject([{ field: 1, value: 99 }]);
	});

	it("is found in lists and maps of messages", () => {
		const update = bytesOf(AgentServerMessageSchema, {
			message: {
				case: "interactionUpdate",
				value: { message: { case: "feedbackRequest", value: { categories: [{ id: "a" }] } } },
			},
		});
		expect(pathsOf(AgentServerMessageSchema, Buffer.from(update))).toEqual([]);
		const model = lengthDelimited(0x12, VARINT);
		expect(pathsOf(AvailableModelsResponseSchema, Buffer.from(model))).toEqual([
			"aiserver.v1.AvailableModelsResponse.models.127",
		]);
		const entry = lengthDelimited(0x7a, [...lengthDelimited(0x0a, [0x66]), ...lengthDelimited(0x12, VARINT)]);
		expect(pathsOf(ConversationStateStructureSchema, Buffer.from(entry))).toEqual([
			"agent.v1.ConversationStateStructure.file_states_v2.127",
		]);
	});

	it("is nothing that is known and only left out of our messages", () => {
		const field4 = [0x22, 0];
		expect(pathsOf(AvailableModelsResponseSchema, Buffer.from([...field4, ...VARINT]))).toEqual([
			"aiserver.v1.AvailableModelsResponse.127",
		]);
	});

	it("is told of a flood only so often", () => {
		const flood = Buffer.concat(Array.from({ length: 10_000 }, () => Buffer.from(VARINT)));
		expect(partsOf(AgentServerMessageSchema, flood)).toHaveLength(256);
	});

	it("is nothing in a message of today", () => {
		const init = { message: { case: "textDelta", value: { text: Buffer.from("x"), isServerNotice: true } } } as const;
		const text = bytesOf(AgentServerMessageSchema, { message: { case: "interactionUpdate", value: init } });
		expect(pathsOf(AgentServerMessageSchema, Buffer.from(text))).toEqual([]);
		expect(Object.values(ThinkingStyle)).not.toContain(77);
	});
});
