import { create, toBinary } from "@bufbuild/protobuf";
import { AgentClientMessageSchema } from "@cursorwire/protocol/agent";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ToolResultPart } from "../../../turn/request.ts";
import { mcpResult } from "./mcp-result.ts";

/** The same by the library. */
function byLibrary(id: number, { content, isError }: ToolResultPart): Uint8Array {
	const items = content.map((part) =>
		part.type === "text"
			? { content: { case: "text" as const, value: { text: part.text } } }
			: { content: { case: "image" as const, value: { data: part.data, mimeType: part.mediaType } } },
	);
	const value = { result: { case: "success" as const, value: { content: items, isError } } };
	const exec = { id, message: { case: "mcpResult" as const, value } };
	return toBinary(
		AgentClientMessageSchema,
		create(AgentClientMessageSchema, { message: { case: "execClientMessage", value: exec } }),
	);
}

const written = fc
	.tuple(fc.string({ unit: "grapheme", maxLength: 40 }), fc.constantFrom(0, 1, 3, 127, 128, 129, 20_000))
	.map(([unit, times]) => ({ type: "text" as const, text: unit.repeat(times) }));
const image = fc.record({
	type: fc.constant("image" as const),
	mediaType: fc.constantFrom("", "image/png"),
	data: fc.uint8Array({ maxLength: 300 }),
});
const result = fc.record({
	type: fc.constant("tool-result" as const),
	callId: fc.constant("call"),
	content: fc.array(fc.oneof(written, image), { maxLength: 5 }),
	isError: fc.boolean(),
});

describe("the result of a call of a client's tool", () => {
	it("is what the library writes, byte for byte", () => {
		fc.assert(
			fc.property(fc.integer({ min: 0, max: 0xffff_ffff }), result, (id, part) => {
				expect(Buffer.compare(mcpResult(id, part), byLibrary(id, part))).toBe(0);
			}),
			{ numRuns: 300 },
		);
	});
});
