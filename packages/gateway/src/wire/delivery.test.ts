import { describe, expect, it } from "vitest";
import { systemClock } from "./clock.ts";
import { Delivery } from "./delivery.ts";
import { WireError } from "./errors.ts";
import type { StreamHandler, WireRequest } from "./stream.ts";

const request: WireRequest = { origin: new URL("http://x.test"), key: "", path: "/", headers: {} };
const head = { status: 200, headers: {} };
const lost = new WireError("connection-lost", "lost");

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
		const delivery = new Delivery(request, handler, systemClock, () => {});
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
		const delivery = new Delivery(request, handler, systemClock, () => givenUp++);
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
		const delivery = new Delivery(request, handler, systemClock, () => givenUp++);
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
		expect(() => new Delivery(request, handler, systemClock, () => {}).end({})).not.toThrow();
		expect(() => new Delivery(request, handler, systemClock, () => {}).fail(lost)).not.toThrow();
	});

	it("lets go of the abort signal when it is over", () => {
		const { calls, handler } = record();
		const controller = new AbortController();
		let givenUp = 0;
		const delivery = new Delivery({ ...request, signal: controller.signal }, handler, systemClock, () => givenUp++);
		delivery.end({});
		controller.abort();
		expect([calls, givenUp]).toEqual([["end"], 0]);
	});
});
