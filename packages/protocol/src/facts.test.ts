import { type DescEnum, type DescField, type DescFile, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import facts from "../facts.json" with { type: "json" };
import * as agent from "./agent.ts";
import * as aiserver from "./aiserver.ts";

interface FieldFact {
	no: number;
	name: string;
	kind: string;
	type: string;
	mapKey?: string;
	mapValueKind?: string;
	repeated?: boolean;
	optional?: boolean;
	oneof?: string;
}

/** Declared as bytes on purpose: the text is streamed, and a code point may be split between two frames. */
const STREAMED_TEXT = new Set([
	"agent.v1.TextDeltaUpdate.text",
	"agent.v1.ThinkingDeltaUpdate.text",
	"agent.v1.PartialToolCallUpdate.args_text_delta",
	"agent.v1.ShellStreamStdout.data",
	"agent.v1.ShellStreamStderr.data",
	"agent.v1.ShellToolCallStdoutDelta.content",
	"agent.v1.ShellToolCallStderrDelta.content",
	"agent.v1.EditToolCallDelta.stream_content_delta",
	"agent.v1.ResponseComparisonTextDelta.text",
	"aiserver.v1.StreamUnifiedChatResponse.text",
	"aiserver.v1.ConversationMessage.Thinking.text",
	"aiserver.v1.StreamChatResponse.text",
]);

const files = Object.entries({ ...agent, ...aiserver })
	.filter(([name]) => name.startsWith("file_"))
	.map(([, file]) => file as DescFile);

function nested(message: DescMessage): DescMessage[] {
	return [message, ...message.nestedMessages.flatMap(nested)];
}

const messages = files.flatMap((file) => file.messages.flatMap(nested)).filter((message) => !isMapEntry(message));
const enums: DescEnum[] = [
	...files.flatMap((file) => file.enums),
	...messages.flatMap((message) => message.nestedEnums),
];

function isMapEntry(message: DescMessage): boolean {
	return message.proto.options?.mapEntry === true;
}

function typeOf(field: DescField): string {
	const inner =
		field.fieldKind === "list" ? field.listKind : field.fieldKind === "map" ? field.mapKind : field.fieldKind;
	if (inner === "message") return field.message!.typeName;
	if (inner === "enum") return field.enum!.typeName;
	return ScalarType[field.scalar!].toLowerCase();
}

function shapeOf(field: DescField): FieldFact {
	const kind = field.fieldKind === "list" ? field.listKind : field.fieldKind;
	return {
		no: field.number,
		name: field.name,
		kind,
		type: typeOf(field),
		...(field.fieldKind === "map" && {
			mapKey: ScalarType[field.mapKey].toLowerCase(),
			mapValueKind: field.mapKind,
		}),
		...(field.fieldKind === "list" && { repeated: true }),
		...(field.proto.proto3Optional && { optional: true }),
		...(field.oneof && { oneof: field.oneof.name }),
	};
}

const messageFacts = facts.messages as Record<string, { fields: FieldFact[] }>;
const enumFacts = facts.enums as unknown as Record<string, Record<string, number>>;
const serviceFacts = facts.services as Record<string, { name: string; input: string; output: string; kind: string }[]>;

const RPC_KINDS: Record<string, string> = {
	unary: "Unary",
	server_streaming: "ServerStreaming",
	bidi_streaming: "BiDiStreaming",
};

describe("proto files agree with the facts", () => {
	it("covers the protocol, not a corner of it", () => {
		expect(files.length).toBeGreaterThan(30);
		expect(messages.length).toBe(Object.keys(messageFacts).length);
		expect(enums.length).toBe(Object.keys(enumFacts).length);
	});

	it.each(messages.map((message) => [message.typeName, message] as const))("%s", (typeName, message) => {
		const known = new Map(messageFacts[typeName]?.fields.map((fact) => [fact.no, fact]));
		for (const field of message.fields) {
			const ours = shapeOf(field);
			if (STREAMED_TEXT.has(`${typeName}.${field.name}`)) {
				expect(ours.type).toBe("bytes");
				ours.type = "string";
			}
			expect(ours).toEqual(known.get(field.number));
		}
	});

	it.each(enums.map((each) => [each.typeName, each] as const))("%s", (typeName, each) => {
		expect(Object.fromEntries(each.values.map((value) => [value.name, value.number]))).toEqual(enumFacts[typeName]);
	});

	it("has every RPC with its path, types and kind", () => {
		const ours = Object.fromEntries(
			files
				.flatMap((file) => file.services)
				.map((service) => [
					service.typeName,
					service.methods.map((method) => ({
						name: method.name,
						path: `/${service.typeName}/${method.name}`,
						input: method.input.typeName,
						output: method.output.typeName,
						kind: RPC_KINDS[method.methodKind],
					})),
				]),
		);
		expect(ours).toEqual(serviceFacts);
	});
});
