import { describe, expect, it } from "vitest";
import type { TurnEvent } from "../turn/event.ts";
import type { OutputLimits } from "../turn/request.ts";
import { OutputLimiter } from "./output-limiter.ts";

const START: TurnEvent = { type: "turn-start", runId: "", model: "", path: "new" };

/** Sends words in batches and returns what came through, once it has ended. */
async function limited(limits: OutputLimits, deltas: string[]) {
	const seen: TurnEvent[] = [];
	let cancelled = false;
	let pauses = 0;
	const ended = new Promise<void>((resolve) => {
		const limiter = OutputLimiter.for(limits, {
			events(batch) {
				seen.push(...batch);
				if (batch.at(-1)?.type === "turn-end") resolve();
			},
			failed: () => resolve(),
		})!;
		limiter.attach({
			pause: () => {
				pauses += 1;
			},
			resume() {},
			cancel: () => {
				cancelled = true;
			},
		});
		limiter.events([START, { type: "text-start" }]);
		for (const text of deltas) limiter.events([{ type: "text-delta", text }]);
		limiter.events([{ type: "text-end" }, { type: "turn-end", reason: "stop" }]);
	});
	await ended;
	const text = seen.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
	return { text, end: seen.at(-1), cancelled, pauses };
}

describe("limits of a response", () => {
	it("cuts before a stop sequence that is split between deltas, and cancels the upstream", async () => {
		const { text, end, cancelled } = await limited({ stop: ["END"] }, ["one E", "N", "D two"]);
		expect(text).toBe("one ");
		expect(end).toEqual({ type: "turn-end", reason: "stop", stopSequence: "END" });
		expect(cancelled).toBe(true);
	});

	it("cuts at exactly so many tokens", async () => {
		const { text, end, cancelled } = await limited({ stop: [], maxOutputTokens: 3 }, [
			"one two",
			" three four",
			" five",
		]);
		expect(text).toBe("one two three");
		expect(end).toMatchObject({ reason: "length" });
		expect(cancelled).toBe(true);
	});

	it("costs nothing far from the limit", async () => {
		const { text, end, cancelled, pauses } = await limited({ stop: [], maxOutputTokens: 32_000 }, [
			"all ",
			"of ",
			"it",
		]);
		expect([text, cancelled, pauses]).toEqual(["all of it", false, 0]);
		expect(end).toEqual({ type: "turn-end", reason: "stop" });
	});

	it("an answer of exactly the limit is whole", async () => {
		const { text, end } = await limited({ stop: [], maxOutputTokens: 3 }, ["one two three"]);
		expect([text, end]).toEqual(["one two three", { type: "turn-end", reason: "stop" }]);
	});
});
