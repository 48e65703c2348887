import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { turnBatchesArbitrary } from "../../../test/kit/arbitrary/turn-events.ts";
import type { GatewayError } from "../../turn/error.ts";
import type { TurnEvent } from "../../turn/event.ts";
import { Grammar } from "../../turn/grammar.ts";
import { emptyRequest, type TurnMessage, type TurnRequest } from "../../turn/request.ts";
import { ENDS_MS, endTurn } from "../turn-ends.ts";
import { OutcomeWatch } from "../turn-outcome.ts";
import { TurnMeter } from "./turn-meter.ts";

const HANDLE = { pause() {}, resume() {}, cancel() {} };
const user = (text: string): TurnMessage => ({ role: "user", content: [{ type: "text", text }] });
const ask = (...messages: TurnMessage[]): TurnRequest => ({ ...emptyRequest("m"), messages });

/** Plays a response to its end and returns what the client gets. */
function play(
	meter: TurnMeter,
	request: TurnRequest,
	batches: readonly TurnEvent[][],
	tellsPromptFirst = false,
	caller = "one",
	seen: TurnEvent[] = [],
): Promise<TurnEvent[]> {
	return new Promise((resolve, reject) => {
		const target = {
			events(batch: readonly TurnEvent[]) {
				seen.push(...batch);
				if (batch.at(-1)?.type === "turn-end") resolve(seen);
			},
			failed: (error: GatewayError) => reject(error),
		};
		const prompt = meter.prompt(request, caller);
		const watch = new OutcomeWatch({ now: () => 0 });
		const reply = meter.reply(caller, { prompt, watch, tellsPromptFirst, target });
		reply.attach(HANDLE);
		for (const batch of batches) reply.events(batch);
	});
}

const answer = (text: string, ...more: TurnEvent[]): TurnEvent[][] => [
	[{ type: "turn-start", runId: "", model: "", path: "new" }, { type: "text-start" }],
	[{ type: "text-delta", text }, { type: "text-end" }, ...more, { type: "turn-end", reason: "stop" }],
];
const usageOf = (events: readonly TurnEvent[]) =>
	events.flatMap((event) => (event.type === "usage" ? [event.usage] : []));
const isFigure = ({ type }: TurnEvent) => type === "usage" || type === "told-usage";

/** Another turn ends first, and takes longer than there is time in one iteration of the event loop. */
function endSlowly(): void {
	const endNow = () => {
		const end = performance.now() + 2 * ENDS_MS;
		while (performance.now() < end);
	};
	endTurn({ endNow, postponed: () => {} });
}

describe("a metered response", () => {
	it("passes everything on in its order, with the figures last, and first where they are wanted first", async () => {
		const property = fc.asyncProperty(turnBatchesArbitrary, fc.boolean(), async (batches, tellsPromptFirst) => {
			const plain = batches.map((batch) => batch.filter(({ type }) => type !== "usage"));
			const events = await play(new TurnMeter(), ask(user("hi")), plain, tellsPromptFirst);
			const grammar = new Grammar();
			for (const event of events) grammar.accept(event);
			expect(grammar.ended).toBe(true);
			expect(events.filter((event) => !isFigure(event))).toEqual(plain.flat().filter((event) => !isFigure(event)));
			expect(events.at(-2)?.type).toBe("usage");
			expect(usageOf(events)).toHaveLength(tellsPromptFirst ? 2 : 1);
			if (tellsPromptFirst) expect(events[1]?.type).toBe("usage");
		});
		await fc.assert(property, { numRuns: 200 });
	});

	it("goes on from the response before, for the same caller and the same history", async () => {
		const meter = new TurnMeter();
		const told: TurnEvent = { type: "told-usage", told: { context: { tokens: 9000, outputShare: 1 } } };
		const [first] = usageOf(await play(meter, ask(user("one")), answer("yes", told)));
		const history = [user("one"), { role: "assistant" as const, content: [{ type: "text" as const, text: "yes" }] }];
		const next = async (request: TurnRequest, caller?: string) =>
			usageOf(await play(meter, request, answer("no"), false, caller))[0]!.inputTokens;
		expect(first!.inputTokens + first!.outputTokens).toBe(9000);
		expect(await next(ask(...history, user("two")))).toBeGreaterThan(9000);
		expect(await next(ask(...history, user("two")), "another")).toBeLessThan(100);
		expect(await next(ask(user("another beginning"), ...history.slice(1), user("two")))).toBeLessThan(100);
	});

	it("says its last words at once where its end has to wait for the ends of others", async () => {
		endSlowly();
		const seen: TurnEvent[] = [];
		const last = play(new TurnMeter(), ask(user("one")), answer("yes"), false, "one", seen);
		expect(seen.map(({ type }) => type)).toEqual(["turn-start", "text-start"]);
		await new Promise((resolve) => setImmediate(resolve));
		const said = ["turn-start", "text-start", "text-delta", "text-end"];
		expect(seen.map(({ type }) => type)).toEqual(said);
		expect((await last).map(({ type }) => type)).toEqual([...said, "usage", "turn-end"]);
	});

	it("fails alone where its last words cannot be passed on while it waits", async () => {
		endSlowly();
		class Broken extends Array<TurnEvent> {
			override push(...events: TurnEvent[]): number {
				if (events.some(({ type }) => type === "text-delta")) throw new Error("cannot be written");
				return super.push(...events);
			}
		}
		const broken = play(new TurnMeter(), ask(user("one")), answer("yes"), false, "one", new Broken());
		const whole = play(new TurnMeter(), ask(user("two")), answer("yes"));
		await expect(broken).rejects.toMatchObject({ kind: "internal" });
		expect((await whole).at(-1)?.type).toBe("turn-end");
	});

	it("counts what was written for nobody", async () => {
		const unseen = ["a first try that was not good enough"];
		const [seen] = usageOf(await play(new TurnMeter(), ask(user("one")), answer("yes")));
		const told: TurnEvent = { type: "told-usage", told: { unseen } };
		const [all] = usageOf(await play(new TurnMeter(), ask(user("one")), answer("yes", told)));
		expect(all!.outputTokens).toBe(seen!.outputTokens + 8);
	});
});
