import { expect, it } from "vitest";
import { mergeLists } from "../lists/merge-lists.ts";
import { listedModel } from "../lists/model-lists.ts";
import { didYouMean } from "./did-you-mean.ts";

const models = mergeLists({
	usable: ["claude-4.6-opus", "claude-4.6-sonnet", "gpt-5.4", "default", "composer-1"].map(listedModel),
});

it("finds names with typing errors and with their words in another order", () => {
	expect(didYouMean("gpt-5.5", models)[0]).toBe("gpt-5.4");
	expect(didYouMean("Claude-Opus-4.6", models)[0]).toBe("claude-4.6-opus");
	expect(didYouMean("composer1", models)[0]).toBe("composer-1");
});

it("has nothing to say about a name that is like none", () => {
	expect(didYouMean("mistral-large-latest", models)).toEqual([]);
	expect(didYouMean("", models)).toEqual([]);
	expect(didYouMean("x".repeat(100_000), models)).toEqual([]);
});
