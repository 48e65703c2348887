import { expect, it } from "vitest";
import type { StreamHandler, Transport, WireStream } from "../../wire/stream.ts";
import { openStream } from "./open-stream.ts";

const STREAM = {} as WireStream;
const REQUEST = { origin: new URL("http://127.0.0.1"), key: "k", path: "/", headers: {} };
const HANDLER = {} as StreamHandler;

/** What was called, in order. `returned` stands for the return of `openStream` itself. */
async function orderOf(open: Transport["open"]): Promise<string[]> {
	const order: string[] = [];
	await new Promise<void>((resolve) => {
		const settle = (what: string) => {
			order.push(what);
			queueMicrotask(resolve);
		};
		openStream({ open }, REQUEST, HANDLER, {
			attach: (stream) => settle(stream === STREAM ? "opened" : "another"),
			unopened: (error) => settle(`failed: ${(error as Error).message}`),
		});
		order.push("returned");
	});
	return order;
}

it("a stream that is there is handed over at once", async () => {
	expect(await orderOf(() => STREAM)).toEqual(["opened", "returned"]);
});

it("a stream that comes later is handed over later", async () => {
	expect(await orderOf(async () => STREAM)).toEqual(["returned", "opened"]);
});

it("a failure is told later, also one that happens at once", async () => {
	const fail = () => {
		throw new Error("no");
	};
	expect(await orderOf(fail)).toEqual(["returned", "failed: no"]);
	expect(await orderOf(async () => fail())).toEqual(["returned", "failed: no"]);
});
