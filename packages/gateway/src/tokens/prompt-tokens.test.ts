import { describe, expect, it } from "vitest";
import { decodeMessagesRequest } from "../dialects/messages/decode.ts";
import { atOnce } from "../time/slices.ts";
import { countInputTokens, countShortPrompt } from "./prompt-tokens.ts";
import { loadTokenEstimator, type TokenEstimator } from "./token-estimate.ts";

/** One token per character, so that it shows exactly what is counted. */
const BY_LENGTH: TokenEstimator = { count: (text) => text.length, words: () => [] };
const PNG = Buffer.from("\x89PNG\r\n\x1a\n and more", "latin1").toString("base64");

const HI = { role: "user", content: "hi" };
const count = (fields: object, estimator = BY_LENGTH) =>
	atOnce(countInputTokens(decodeMessagesRequest({ model: "m", messages: [HI], ...fields }).turn, estimator));
const more = (fields: object) => count(fields) - count({});

describe("countInputTokens", () => {
	it("counts every text that reaches the model", () => {
		const long = "x".repeat(1000);
		const asked = { role: "assistant", content: [{ type: "tool_use", id: "a", name: "read", input: { p: long } }] };
		const answered = { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: long }] };
		expect(more({ system: long })).toBeGreaterThanOrEqual(1000);
		expect(more({ messages: [HI, { role: "assistant", content: long }] })).toBeGreaterThanOrEqual(1000);
		expect(more({ messages: [HI, asked, answered] })).toBeGreaterThanOrEqual(2000);
		expect(more({ tools: [{ name: "read", description: long, input_schema: { title: long } }] })).toBeGreaterThan(2000);
	});

	it("counts images, and no thinking and no billing line", () => {
		const image = { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } };
		expect(more({ messages: [{ role: "user", content: [{ type: "text", text: "hi" }, image] }] })).toBe(1600);
		expect(more({ system: [{ type: "text", text: "x-anthropic-billing-header: cch=1;" }] })).toBe(0);
		const answer = [{ type: "text", text: "a" }];
		const thought = [{ type: "thinking", thinking: "x".repeat(1000), signature: "s" }, ...answer];
		const withAnswer = (content: object[]) => count({ messages: [HI, { role: "assistant", content }, HI] });
		expect(withAnswer(thought)).toBe(withAnswer(answer));
	});

	it("lets others have their turn after every piece", async () => {
		const content = "龘".repeat(1 << 18);
		const { turn } = decodeMessagesRequest({ model: "m", messages: [{ role: "user", content }] });
		let longest = 0;
		const estimator = {
			...BY_LENGTH,
			count(text: string) {
				longest = Math.max(longest, text.length);
				return 1;
			},
		};
		const pauses = [...countInputTokens(turn, estimator)].length;
		expect(longest).toBeLessThanOrEqual(512);
		expect(pauses).toBeGreaterThanOrEqual((1 << 18) / 512);
	});

	it("looks at no more of a long text than it can count in time, and is close all the same", () => {
		const counted = (length: number) => {
			let characters = 0;
			const estimator = {
				...BY_LENGTH,
				count(text: string) {
					characters += text.length;
					return text.length;
				},
			};
			return { tokens: count({ messages: [{ role: "user", content: "龘".repeat(length) }] }, estimator), characters };
		};
		const { tokens, characters } = counted(2_000_000);
		expect(characters).toBeLessThan(300_000);
		expect(tokens).toBeGreaterThan(1_990_000);
		expect(tokens).toBeLessThan(2_010_000);
	});

	it("is close to the truth for plain words", async () => {
		const text = "The quick brown fox jumps over the lazy dog. ".repeat(100);
		const tokens = count({ messages: [{ role: "user", content: text }] }, await loadTokenEstimator());
		expect(tokens).toBeGreaterThan(900);
		expect(tokens).toBeLessThan(1100);
	});
});

describe("countShortPrompt", () => {
	const read = (fields: object) => decodeMessagesRequest({ model: "m", messages: [HI], ...fields }).turn;

	it("has the same figure as countInputTokens", async () => {
		const estimator = await loadTokenEstimator();
		const talk = [HI, { role: "assistant", content: "Well… 你好 ".repeat(90) }, HI];
		for (const turn of [read({}), read({ system: "Be brief." }), read({ messages: talk })]) {
			const tokens = countShortPrompt(turn, estimator);
			expect(tokens).toBeGreaterThan(0);
			expect(tokens).toBe(atOnce(countInputTokens(turn, estimator)));
		}
	});

	it("leaves tools and long prompts to countInputTokens", () => {
		expect(countShortPrompt(read({ tools: [{ name: "read", input_schema: {} }] }), BY_LENGTH)).toBeUndefined();
		expect(countShortPrompt(read({ system: "x".repeat(5_000) }), BY_LENGTH)).toBeUndefined();
		expect(countShortPrompt(read({ messages: Array(50).fill(HI) }), BY_LENGTH)).toBeUndefined();
	});
});
