import { describe, expect, it } from "vitest";
import { COUNTED_AT_ONCE } from "../tokens/token-estimate.ts";
import { GatewayError } from "../turn/error.ts";
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
	const longest = Math.max(...seen.map((event) => (event.type === "text-delta" ? event.text.length : 0)));
	return { text, end: seen.at(-1), cancelled, pauses, longest };
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

	it("is counted in short pieces, however long a delta or a batch is, and cut at the same place", async () => {
		const words = "one two three ".repeat(20_000);
		const limits = { stop: [], maxOutputTokens: 40_000 };
		const one = await limited(limits, [words]);
		expect(one.end).toMatchObject({ reason: "length" });
		expect(one.longest).toBeLessThanOrEqual(COUNTED_AT_ONCE);
		expect(one.text.length).toBeGreaterThan(10 * COUNTED_AT_ONCE);
		expect(await limited(limits, words.match(/.{1,5000}/g)!)).toMatchObject({ text: one.text, end: one.end });
	});

	it("passes on a failure behind everything that was counted first", async () => {
		const words = "one two three ".repeat(5_000);
		const seen: string[] = [];
		await new Promise<void>((resolve) => {
			const limiter = OutputLimiter.for(
				{ stop: [], maxOutputTokens: 1e6 },
				{
					events: (batch) => seen.push(...batch.map((event) => (event.type === "text-delta" ? event.text : ""))),
					failed: () => resolve(),
				},
			)!;
			for (let deltas = 0; deltas < 10; deltas++) limiter.events([{ type: "text-delta", text: words }]);
			limiter.failed(new GatewayError("upstream-reset"));
		});
		expect(seen.join("")).toBe(words.repeat(10));
	});

	it("an answer of exactly the limit is whole", async () => {
		const { text, end } = await limited({ stop: [], maxOutputTokens: 3 }, ["one two three"]);
		expect([text, end]).toEqual(["one two three", { type: "turn-end", reason: "stop" }]);
	});
});
