import { describe, expect, it } from "vitest";
import { until } from "../../test/kit/cleanup.ts";
import { ManualClock } from "../../test/kit/manual-clock.ts";
import { systemClock } from "../time/clock.ts";
import { CLOSE_GRACE_MS, Delivery } from "./delivery.ts";
import { WireError } from "./errors.ts";
import { ITERATION_BYTES } from "./paced-calls.ts";
import type { ReadState, StreamHandler, WireRequest } from "./stream.ts";

const request: WireRequest = { origin: new URL("http://x.test"), key: "", path: "/", headers: {} };
const head = { status: 200, headers: {} };
const lost = new WireError("connection-lost", "lost");
const NOTHING = { reset: () => {}, pause: () => {}, resume: () => {} };

function record(overrides: Partial<StreamHandler> = {}) {
	const calls: string[] = [];
	const handler: StreamHandler = {
		onHead: ({ status }) => void calls.push(`head ${status}`),
		onData: (chunk) => void calls.push(`data ${chunk}`),
		onEnd: () => void calls.push("end"),
		onError: (error) => void calls.push(`error ${error.code}`),
		...overrides,
	};
	return { calls, handler };
}

describe("Delivery", () => {
	it("makes one terminal call and nothing after it", () => {
		const { calls, handler } = record();
		const delivery = new Delivery(request, handler, systemClock, NOTHING);
		delivery.head(head);
		delivery.data(Buffer.from("a"));
		delivery.end({});
		delivery.data(Buffer.from("late"));
		delivery.fail(lost);
		delivery.end({});
		expect(calls).toEqual(["head 200", "data a", "end"]);
	});

	it("silences the handler at once when aborted and names the abort, not its effect", () => {
		const { calls, handler } = record();
		let givenUp = 0;
		const delivery = new Delivery(request, handler, systemClock, { ...NOTHING, reset: () => givenUp++ });
		delivery.abort("enough");
		delivery.abort("enough");
		delivery.data(Buffer.from("late"));
		delivery.end({});
		expect([calls, givenUp]).toEqual([[], 1]);
		delivery.fail(lost);
		expect(calls).toEqual(["error aborted"]);
	});

	it.each(["onHead", "onData"] as const)("turns an exception of %s into an aborted stream", (name) => {
		const mistake = new Error("bug in the handler");
		let reported: WireError | undefined;
		const { handler } = record({
			[name]: () => {
				throw mistake;
			},
			onError: (error) => {
				reported = error;
			},
		});
		let givenUp = 0;
		const delivery = new Delivery(request, handler, systemClock, { ...NOTHING, reset: () => givenUp++ });
		delivery.head(head);
		delivery.data(Buffer.from("a"));
		expect(givenUp).toBe(1);
		delivery.fail(lost);
		expect(reported).toMatchObject({ code: "aborted", cause: mistake });
	});

	it("survives an exception of the terminal callbacks", () => {
		const throwing = () => {
			throw new Error("bug at the end");
		};
		const { handler } = record({ onEnd: throwing, onError: throwing });
		expect(() => new Delivery(request, handler, systemClock, NOTHING).end({})).not.toThrow();
		expect(() => new Delivery(request, handler, systemClock, NOTHING).fail(lost)).not.toThrow();
	});

	describe("when its handler is done", () => {
		const reading = (state: () => ReadState) => {
			const clock = new ManualClock();
			const { calls, handler } = record();
			Object.defineProperty(handler, "state", { get: state });
			const did: string[] = [];
			const exchange = { ...NOTHING, reset: () => did.push("reset"), resume: () => did.push("resume") };
			return { calls, clock, did, delivery: new Delivery(request, handler, clock, exchange) };
		};

		it("resets a stream that failed at once, and swallows nothing more", () => {
			let state: ReadState = "reading";
			const { calls, clock, did, delivery } = reading(() => state);
			delivery.head(head);
			expect(did).toEqual([]);
			state = "failed";
			delivery.data(Buffer.from("bad"));
			delivery.data(Buffer.from("more"));
			expect(did).toEqual(["reset"]);
			delivery.fail(lost);
			expect(calls).toEqual(["head 200", "data bad", "error aborted"]);
			expect(clock.armed).toBe(0);
		});

		it("lets the peer of a complete stream close it, which leaves no timer", () => {
			const { calls, clock, did, delivery } = reading(() => "complete");
			delivery.data(Buffer.from("all"));
			expect(did).toEqual(["resume"]);
			expect(delivery.isClosing).toBe(true);
			delivery.end({});
			expect(calls).toEqual(["data all", "end"]);
			expect(clock.armed).toBe(0);
		});

		it("resets a complete stream that the peer does not close in time", () => {
			const { clock, did, delivery } = reading(() => "complete");
			delivery.data(Buffer.from("all"));
			clock.advance(CLOSE_GRACE_MS - 1);
			expect(did).toEqual(["resume"]);
			clock.advance(1);
			expect(did).toEqual(["resume", "reset"]);
		});

		it("resets a complete stream whose peer goes on talking", () => {
			const { calls, did, delivery } = reading(() => "complete");
			delivery.data(Buffer.from("all"));
			delivery.data(Buffer.from("and more"));
			delivery.data(Buffer.from("and more"));
			expect(did).toEqual(["resume", "reset"]);
			expect(calls).toEqual(["data all"]);
		});
	});

	describe("of more than fits into one iteration of the event loop", () => {
		const large = Buffer.alloc(ITERATION_BYTES, "x");
		const started = () => {
			const { calls, handler } = record({ onData: () => void calls.push("data") });
			const did: string[] = [];
			const exchange = { ...NOTHING, reset: () => did.push("reset") };
			const delivery = new Delivery(request, handler, systemClock, exchange);
			for (let pieces = 0; pieces < 3; pieces++) delivery.data(large);
			return { calls, did, delivery };
		};
		const over = (calls: string[]) => until(() => /end|error/.test(calls.at(-1) ?? ""));

		it("goes on later, the end behind it, also where the connection is lost then", async () => {
			const { calls, delivery } = started();
			delivery.end({});
			delivery.fail(lost);
			expect(calls).toEqual(["data"]);
			await over(calls);
			expect(calls).toEqual(["data", "data", "data", "end"]);
		});

		it("hands over what came before the connection was lost", async () => {
			const { calls, delivery } = started();
			delivery.fail(lost);
			await over(calls);
			expect(calls).toEqual(["data", "data", "data", "error connection-lost"]);
		});

		it("hands over nothing more once it is aborted, and names the abort", async () => {
			const { calls, did, delivery } = started();
			delivery.abort("enough");
			expect([calls, did]).toEqual([["data"], ["reset"]]);
			delivery.fail(lost);
			expect(calls).toEqual(["data", "error aborted"]);
		});

		it("tells of the abort also where there is nothing left to close", () => {
			const { calls, did, delivery } = started();
			delivery.end({});
			delivery.abort("enough");
			expect([calls, did]).toEqual([["data", "error aborted"], []]);
		});
	});

	it("lets go of the abort signal when it is over", () => {
		const { calls, handler } = record();
		const controller = new AbortController();
		let givenUp = 0;
		const delivery = new Delivery({ ...request, signal: controller.signal }, handler, systemClock, {
			...NOTHING,
			reset: () => givenUp++,
		});
		delivery.end({});
		controller.abort();
		expect([calls, givenUp]).toEqual([["end"], 0]);
	});
});
