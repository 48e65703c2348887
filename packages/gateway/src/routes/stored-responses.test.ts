import { expect, it } from "vitest";
import type { StoredResponse } from "../dialects/responses/stored-response.ts";
import { MEMORY_LIMITS } from "../store/limits.ts";
import { MemoryStore } from "../store/memory/memory-store.ts";
import { StoredResponses } from "./stored-responses.ts";

const record = { response: { id: "resp_1", output: [] }, input: [] } as unknown as StoredResponse;

it("gives a response to its caller, and to nobody else", async () => {
	const store = new MemoryStore({ now: Date.now, limits: MEMORY_LIMITS });
	const responses = new StoredResponses(store, (error) => expect.fail(String(error)));
	responses.of("a").keep("resp_1", record);
	expect(await responses.get("a", "resp_1")).toEqual(record.response);
	await expect(responses.get("b", "resp_1")).rejects.toMatchObject({ kind: "not-found" });
	await expect(responses.delete("b", "resp_1")).rejects.toMatchObject({ kind: "not-found" });
});

it("tells of a store that fails while nobody waits for it", async () => {
	const store = new MemoryStore({ now: Date.now, limits: MEMORY_LIMITS });
	const broken = new Error("no such table");
	store.putResponse = () => Promise.reject(broken);
	const mistakes: unknown[] = [];
	new StoredResponses(store, (error) => mistakes.push(error)).of("a").keep("resp_1", record);
	await new Promise(setImmediate);
	expect(mistakes).toEqual([broken]);
});
