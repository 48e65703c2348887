import { create } from "@bufbuild/protobuf";
import { TurnEndedUpdateSchema } from "@cursorwire/protocol/agent";
import { expect, it } from "vitest";
import { type CacheTokens, endCounts, runWork } from "./run-work.ts";

const inputOf = (inputTokens: bigint, cacheReadTokens: bigint, wanted: CacheTokens) =>
	runWork(endCounts(create(TurnEndedUpdateSchema, { inputTokens, cacheReadTokens })), true, wanted)?.inputTokens;

it("counts what was read from the cache within the input or on top of it, as it is set", () => {
	expect(inputOf(100n, 30n, "included")).toBe(100);
	expect(inputOf(100n, 30n, "added")).toBe(130);
});

it("knows that a cache which held more than the input was not part of it", () => {
	expect(inputOf(100n, 5000n, "included")).toBe(5100);
});

it("is not there where nothing was counted", () => {
	expect(runWork(endCounts(create(TurnEndedUpdateSchema, {})), true, "included")).toBeUndefined();
});
