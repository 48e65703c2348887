import { fromBinary } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import facts from "../facts.json" with { type: "json" };
import { TOOL_KINDS, type ToolCall, ToolCallSchema, toolKindOf } from "./agent.ts";

/** A call of the kind with this number, whose message is empty. */
function callOfKind(no: number): ToolCall {
	const tag = (no << 3) | 2;
	const varint = tag < 128 ? [tag] : [(tag & 0x7f) | 0x80, tag >> 7];
	return fromBinary(ToolCallSchema, Uint8Array.of(...varint, 0));
}

describe("the kinds of tool calls", () => {
	const known = facts.messages["agent.v1.ToolCall"].fields.filter(({ oneof }: { oneof?: string }) => oneof === "tool");

	it("are those of the facts", () => {
		expect(TOOL_KINDS).toEqual(Object.fromEntries(known.map(({ no, name }) => [no, name])));
	});

	it.each(known.map(({ no, name }) => [name, no] as const))(
		"%s is named, whether the proto files have it or not",
		(name, no) => {
			expect(toolKindOf(callOfKind(no))).toBe(name);
		},
	);

	it("leave a kind that nobody knows without a name", () => {
		expect(toolKindOf(callOfKind(999))).toBeUndefined();
		expect(toolKindOf(callOfKind(57))).toBeUndefined();
	});
});
