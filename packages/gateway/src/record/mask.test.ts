import { fromJson, type JsonObject, toJson } from "@bufbuild/protobuf";
import { AgentServerMessageSchema } from "@cursorwire/protocol/agent";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maskMessage } from "./mask-message.ts";
import { maskText } from "./mask-text.ts";

describe("maskText", () => {
	it("keeps lengths and lines, and no word or number", () => {
		expect(maskText("Grüße, 世界 42!\n\tconst π = 3.14;")).toBe("xxxxx, xx 11!\n\txxxxx x = 1.11;");
	});

	it("keeps JSON of any value valid", () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				const masked = maskText(JSON.stringify({ value }));
				expect(() => JSON.parse(masked)).not.toThrow();
			}),
		);
	});

	it("lets no letter through", () => {
		fc.assert(
			fc.property(fc.string({ unit: "grapheme" }), (text) => {
				const plain = text.replaceAll("\\", "");
				expect(maskText(plain).replace(/\b(?:true|false|null)\b|\d[eE][+-]?\d/g, "")).toMatch(
					/^[^\p{L}\p{N}]*(?:[x1][^\p{L}\p{N}]*)*$/u,
				);
			}),
		);
	});
});

describe("maskMessage", () => {
	const mask = (json: object) => {
		const message = fromJson(AgentServerMessageSchema, json as JsonObject);
		return maskMessage(AgentServerMessageSchema, toJson(AgentServerMessageSchema, message) as JsonObject);
	};

	it("masks texts and keeps what connects messages", () => {
		const text = (words: string) => ({ text: Buffer.from(words).toString("base64") });
		expect(mask({ interactionUpdate: { textDelta: text("secret 1") } })).toEqual({
			interactionUpdate: { textDelta: text("xxxxxx 1") },
		});
		const call = {
			callId: "call-1",
			toolCall: { mcpToolCall: { args: { name: "look", toolName: "look", toolCallId: "c1" } } },
		};
		expect(mask({ interactionUpdate: { toolCallStarted: call } })).toEqual({
			interactionUpdate: { toolCallStarted: call },
		});
	});

	it("masks the keys of maps, which may be paths, but not the names of parameters", () => {
		const files = { "/home/ada/a.ts": {}, "/home/bob/b.ts": {} };
		const state = (fileStatesV2: object) => ({ conversationCheckpointUpdate: { fileStatesV2 } });
		expect(mask(state(files))).toEqual(state({ "/xxxx/xxx/x.xx": {}, "/xxxx/xxx/x.xx~": {} }));
		const call = (value: string) => ({ execServerMessage: { mcpArgs: { args: { path: value } } } });
		expect(mask(call("/home/ada"))).toEqual(call("/xxxx/xxx"));
	});

	it("gives a message that can be read again, whatever the bytes", () => {
		for (const bytes of [Buffer.from("hello"), Buffer.from([0xff, 0x00, 0x80]), Buffer.alloc(0)]) {
			const masked = mask({ interactionUpdate: { textDelta: { text: bytes.toString("base64") } } });
			const { message } = fromJson(AgentServerMessageSchema, masked);
			expect(message.case).toBe("interactionUpdate");
		}
	});
});
