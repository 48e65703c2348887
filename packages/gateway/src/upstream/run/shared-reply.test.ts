import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { GatewayError } from "../../turn/error.ts";
import type { TurnEvent } from "../../turn/event.ts";
import type { TurnHandle } from "../../turn/listener.ts";
import { SharedReply } from "./shared-reply.ts";

const say = (text: string): TurnEvent => ({ type: "text-delta", text });
const END: TurnEvent = { type: "turn-end", reason: "stop" };

function record() {
	const told: string[] = [];
	const run = { pause: () => told.push("pause"), resume: () => told.push("resume"), cancel: () => told.push("cancel") };
	return { reply: new SharedReply(run, "a conversation", { name: "m", description: "m" }), told };
}

function listen(reply: SharedReply) {
	const heard: string[] = [];
	const handle = reply.attach({
		events: (batch) => void heard.push(...batch.map((event) => ("text" in event ? event.text : event.type))),
		failed: ({ kind }) => void heard.push(kind),
	});
	return { heard, handle };
}

/** Resolves when nobody holds the object any more; the test's own timeout ends the wait. */
async function collected(held: WeakRef<object>): Promise<void> {
	setFlagsFromString("--expose-gc");
	const collect = runInNewContext("gc") as () => void;
	while (held.deref()) {
		// An object that was looked at stays until the end of the turn of the event loop.
		await new Promise((resolve) => setImmediate(resolve));
		collect();
	}
}

describe("a reply", () => {
	it("tells whoever comes later all of it, heartbeats left out", () => {
		const { reply } = record();
		const first = listen(reply);
		reply.events([say("a"), { type: "activity" }]);
		const second = listen(reply);
		reply.events([say("b"), END]);
		const third = listen(reply);
		expect(first.heard).toEqual(["a", "activity", "b", "turn-end"]);
		expect(second.heard).toEqual(["a", "b", "turn-end"]);
		expect(third.heard).toEqual(second.heard);
	});

	it("goes at the pace of the slowest, also when that one leaves", () => {
		const { reply, told } = record();
		const [slow, slower] = [listen(reply), listen(reply)];
		listen(reply);
		slow.handle.pause();
		slower.handle.pause();
		slow.handle.resume();
		expect(told).toEqual(["pause", "pause"]);
		slower.handle.cancel();
		expect(told).toEqual(["pause", "pause", "resume"]);
	});

	it.each([
		["ended", (reply: SharedReply) => reply.events([say("a"), END])],
		["failed", (reply: SharedReply) => reply.failed(new GatewayError("upstream-reset"))],
		["was left", (_recording: SharedReply, leave: () => void) => leave()],
	])("lets the run go, which holds its whole request, when the response %s", async (_how, end) => {
		let run: object | undefined = { pause() {}, resume() {}, cancel() {} };
		const held = new WeakRef(run);
		const reply = new SharedReply(run as TurnHandle, "a conversation", { name: "m", description: "m" });
		run = undefined;
		const { handle } = listen(reply);
		end(reply, () => handle.cancel());
		await collected(held);
		expect(reply.session).toBe("a conversation");
	});

	it("lets a run that is paused at the end of a response go on before it lets it go", () => {
		const { reply, told } = record();
		const { handle } = listen(reply);
		handle.pause();
		reply.events([say("a"), END]);
		handle.resume();
		expect(told).toEqual(["pause", "resume"]);
	});

	it("is given up with the last listener, and of no use from then on", () => {
		const { reply, told } = record();
		const [one, other] = [listen(reply), listen(reply)];
		one.handle.cancel();
		one.handle.cancel();
		expect([told, reply.usable]).toEqual([[], true]);
		other.handle.cancel();
		expect([told, reply.usable, reply.stands]).toEqual([["cancel"], false, false]);
	});

	it("that is over lets listeners go without a word to the run, which may wait for results", () => {
		const { reply, told } = record();
		const { handle } = listen(reply);
		reply.events([END]);
		handle.pause();
		handle.resume();
		handle.cancel();
		expect([told, reply.usable]).toEqual([[], true]);
	});

	it("of a failure is of no use", () => {
		const { reply } = record();
		const { heard } = listen(reply);
		reply.failed(new GatewayError("upstream-reset"));
		expect([heard, reply.usable, reply.stands]).toEqual([["upstream-reset"], false, false]);
	});

	it("that grows too long is no longer kept, but still stands", () => {
		const { reply } = record();
		const { heard } = listen(reply);
		reply.events([say("x".repeat(5 << 20))]);
		reply.events([say("y"), END]);
		expect(heard.slice(1)).toEqual(["y", "turn-end"]);
		expect([reply.usable, reply.stands, reply.size]).toEqual([false, true, 0]);
	});
});
