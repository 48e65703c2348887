import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { turnBatchesArbitrary } from "../../test/kit/arbitrary/turn-events.ts";
import { GatewayError } from "../turn/error.ts";
import type { TurnEvent } from "../turn/event.ts";
import { Grammar } from "../turn/grammar.ts";
import type { TurnListener } from "../turn/listener.ts";
import { emptyRequest, type TurnRequest } from "../turn/request.ts";
import { type OutputRule, objection } from "./output-rule.ts";
import { RuledTurn } from "./ruled-turn.ts";

const OWN = "tool_1";
const STARTED = {
	path: "new" as const,
	reason: "no history" as const,
	session: "",
	model: { name: "", description: "" },
	warnings: [],
	precedesResults: false,
};

interface Outcome {
	events: TurnEvent[];
	error: GatewayError | undefined;
	/** What each attempt was asked with. */
	requests: TurnRequest[];
	givenUp: string[];
}

/** Plays replies, one per attempt. The first `wrong` of them break the rule. */
async function play(
	responses: TurnEvent[][][],
	wrong: number,
	keepsTextBesideCalls = true,
	cancelAfter = Number.POSITIVE_INFINITY,
): Promise<Outcome> {
	const outcome: Outcome = { events: [], error: undefined, requests: [], givenUp: [] };
	let judged = 0;
	const rule: OutputRule = {
		request: emptyRequest("m"),
		ownTool: OWN,
		keepsTextBesideCalls,
		judge: () => {
			if (++judged > wrong) return { kind: "kept", text: "the answer" };
			return { kind: "wrong", repair: objection([], "no"), error: new GatewayError("output-invalid") };
		},
	};
	const listeners: TurnListener[] = [];
	const turn = new RuledTurn(
		{
			rule,
			target: {
				events: (batch) => {
					expect(batch).not.toEqual([]);
					outcome.events.push(...batch);
				},
				failed: (error) => {
					outcome.error = error;
				},
			},
			open: async (request, listener) => {
				outcome.requests.push(request);
				listeners.push(listener);
				return { ...STARTED, handle: { pause() {}, resume() {}, cancel() {} } };
			},
			giveUp: (callId) => outcome.givenUp.push(callId),
			premature: { add() {}, isPremature: () => false, rejectionOf: () => [] },
		},
		rule.request,
	);
	await turn.open();
	let delivered = 0;
	for (const [attempt, batches] of responses.entries()) {
		for (const batch of batches) {
			if (delivered++ === cancelAfter) turn.cancel();
			listeners[attempt]?.events(batch);
		}
		// The rule takes a moment to decide.
		await new Promise(setImmediate);
	}
	return outcome;
}

describe("a turn that is held to a rule", () => {
	it("ends once, in legal order, and shows nothing of the gateway's own tool", async () => {
		const property = fc.asyncProperty(
			turnBatchesArbitrary,
			turnBatchesArbitrary,
			fc.nat({ max: 2 }),
			fc.boolean(),
			async (first, second, wrong, keepsText) => {
				const { events, error, requests } = await play([first, second], wrong, keepsText);
				const grammar = new Grammar();
				for (const event of events) grammar.accept(event);
				expect(grammar.ended).toBe(error === undefined);
				expect(events.filter((event) => "name" in event && event.name === OWN)).toEqual([]);
				expect(requests.length).toBeLessThanOrEqual(2);
				if (error) expect(requests.length).toBe(2);
			},
		);
		await fc.assert(property, { numRuns: 300 });
	});

	it("says nothing any more to a client that has left", async () => {
		const property = fc.asyncProperty(turnBatchesArbitrary, fc.nat({ max: 10 }), async (batches, cancelAfter) => {
			const whole = await play([batches], 9);
			const cut = await play([batches], 9, true, cancelAfter);
			expect(whole.events.slice(0, cut.events.length)).toEqual(cut.events);
			if (cancelAfter >= batches.length) return;
			expect(cut.events.at(-1)?.type).not.toBe("turn-end");
			expect(cut.requests).toHaveLength(1);
			const calls = batches.flat().filter((event) => event.type === "tool-call");
			if (calls.every(({ name }) => name === OWN)) expect(cut.givenUp).toEqual(calls.map(({ id }) => id));
			else expect(cut.givenUp).toEqual([]);
		});
		await fc.assert(property, { numRuns: 100 });
	});

	it("tells the model what is wrong behind all that was said before", async () => {
		const said: TurnEvent[] = [
			{ type: "turn-start", runId: "r", model: "m", path: "new" },
			{ type: "turn-end", reason: "stop" },
		];
		const { requests } = await play([[said], [said]], 1);
		expect(requests.map(({ messages }) => messages)).toEqual([[], objection([], "no")]);
	});

	it("counts what all attempts said, and the prompt once", async () => {
		const run = {
			isOnePrompt: true,
			inputTokens: 10,
			outputTokens: 3,
			cachedTokens: 4,
			cacheWriteTokens: 0,
			reasoningTokens: 1,
		};
		const said: TurnEvent[] = [
			{ type: "turn-start", runId: "r", model: "m", path: "new" },
			{ type: "text-start" },
			{ type: "text-delta", text: "wrong" },
			{ type: "text-end" },
			{ type: "told-usage", told: { outputTokens: 2, run } },
			{ type: "turn-end", reason: "stop" },
		];
		const { events } = await play([[said], [said]], 1);
		const both = { outputTokens: 4, run: { ...run, outputTokens: 6, reasoningTokens: 2 }, unseen: ["wrong"] };
		expect(events.filter(({ type }) => type === "told-usage")).toEqual([{ type: "told-usage", told: both }]);
	});

	it("passes a refusal on as it is", async () => {
		const said: TurnEvent[] = [
			{ type: "turn-start", runId: "r", model: "m", path: "new" },
			{ type: "text-start" },
			{ type: "text-delta", text: "I will not." },
			{ type: "text-end" },
			{ type: "turn-end", reason: "refusal" },
		];
		const { events, requests } = await play([[said]], 9);
		expect(events.map((event) => ("text" in event ? event.text : event.type)).join(" ")).toContain("I will not.");
		expect(events.at(-1)).toEqual({ type: "turn-end", reason: "refusal" });
		expect(requests).toHaveLength(1);
	});
});
