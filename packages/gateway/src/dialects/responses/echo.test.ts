import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostileText } from "../../../test/kit/arbitrary/turn-events.ts";
import { wellFormed } from "../shared/well-formed.ts";
import { wellFormedJson } from "./echo.ts";

describe("wellFormedJson", () => {
	it("repairs every text and key, and changes nothing else", () => {
		fc.assert(
			fc.property(fc.array(fc.oneof(hostileText, fc.constantFrom("\\ud800", "\\\\ud800", "\\"))), (texts) => {
				expect(wellFormedJson({ texts, number: 1, nothing: null })).toEqual({
					texts: texts.map(wellFormed),
					number: 1,
					nothing: null,
				});
			}),
		);
		expect(wellFormedJson({ "a\ud800": { "\udc00": "\ud83d\ude00" } })).toEqual({
			"a\ufffd": { "\ufffd": "\ud83d\ude00" },
		});
	});
});
