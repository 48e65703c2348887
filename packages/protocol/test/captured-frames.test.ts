import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { AgentClientMessageSchema, AgentServerMessageSchema } from "../src/agent.ts";
import frames from "./captured-frames.json" with { type: "json" };

/** Paths of fields that no proto file of ours describes. */
function unknownFields(message: object, path = ""): string[] {
	const own = (message as { $unknown?: { no: number }[] }).$unknown ?? [];
	const inner = Object.entries(message)
		.filter(([name, value]) => !name.startsWith("$") && value !== null && typeof value === "object")
		.flatMap(([name, value]) => (value instanceof Uint8Array ? [] : unknownFields(value, `${path}.${name}`)));
	return [...own.map(({ no }) => `${path} #${no}`), ...inner];
}

describe("frames that the official SDK and a backend exchanged", () => {
	it.each(frames.map((frame, index) => ({ ...frame, index })))(
		"$index: $from $kind $inner",
		({ from, kind, inner, hex }) => {
			const schema = from === "client" ? AgentClientMessageSchema : AgentServerMessageSchema;
			const bytes = Buffer.from(hex, "hex");
			const decoded = fromBinary<typeof AgentClientMessageSchema | typeof AgentServerMessageSchema>(schema, bytes);
			expect(decoded.message.case).toBe(kind);
			if (inner)
				expect(
					JSON.stringify(decoded.message.value, (_, value) => (typeof value === "bigint" ? `${value}` : value)),
				).toContain(inner);
			expect(unknownFields(decoded)).toEqual([]);
			// Nothing is lost on the way back.
			expect(Buffer.from(toBinary(schema, decoded)).length).toBe(bytes.length);
		},
	);
});
