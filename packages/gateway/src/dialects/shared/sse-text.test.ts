import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostileText } from "../../../test/kit/arbitrary/turn-events.ts";
import { readSse, readSseByUnicodeLines } from "../../../test/kit/dialects/sse.ts";
import { dataEvent, jsonText } from "./sse-text.ts";
import { wellFormed } from "./well-formed.ts";

describe("jsonText", () => {
	it("reads back as the same text, with U+FFFD for half a surrogate pair", () => {
		fc.assert(
			fc.property(hostileText, (text) => {
				expect(JSON.parse(jsonText(text))).toBe(wellFormed(text));
			}),
			{ numRuns: 1000 },
		);
	});

	it("is what JSON.stringify makes, but for the line breaks of Unicode", () => {
		const slow = (text: string) =>
			JSON.stringify(wellFormed(text)).replace(
				/[\u0085\u2028\u2029]/g,
				(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
			);
		const character = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
		const text = fc.oneof(hostileText, fc.string(), fc.string({ unit: character, maxLength: 3 }));
		fc.assert(
			fc.property(text, (each) => {
				expect(jsonText(each)).toBe(slow(each));
			}),
			{ numRuns: 2000 },
		);
		for (let code = 0; code < 0x100; code++) {
			const each = `a${String.fromCharCode(code)}`;
			expect(jsonText(each)).toBe(slow(each));
		}
	});

	it.each([
		["plain", "Hello", '"Hello"'],
		["quotes and backslashes", '"\\', '"\\"\\\\"'],
		["line breaks", "\r\n", '"\\r\\n"'],
		["line breaks of Unicode", "\u0085\u2028\u2029", '"\\u0085\\u2028\\u2029"'],
		["an emoji", "😀", '"😀"'],
		["halves of a pair", "\ude00\ud83d", '"\ufffd\ufffd"'],
	])("writes %s", (_name, text, json) => {
		expect(jsonText(text)).toBe(json);
	});
});

describe("dataEvent", () => {
	it("is one event for every reader", () => {
		fc.assert(
			fc.property(hostileText, (text) => {
				const stream = dataEvent({ text });
				for (const read of [readSse, readSseByUnicodeLines]) {
					const events = read(stream);
					expect(events).toHaveLength(1);
					expect(JSON.parse(events[0]?.data ?? "")).toEqual({ text });
				}
			}),
		);
	});
});
