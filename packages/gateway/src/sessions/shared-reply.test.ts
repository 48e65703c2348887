import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { GatewayError } from "../turn/error.ts";
import type { TurnEvent } from "../turn/event.ts";
import type { TurnHandle } from "../turn/listener.ts";
import { SharedReply } from "./shared-reply.ts";

const say = (text: string): TurnEvent => ({ type: "text-delta", text });
const END: TurnEvent = { type: "turn-end", reason: "stop" };

function record() {
	const told: string[] = [];
	const run = { pause: () => told.push("pause"), resume: () => told.push("resume"), cancel: () => told.push("cancel") };
	return { recording: new SharedReply(run, "a conversation", { name: "m", description: "m" }), told };
}

function listen(recording: SharedReply) {
	const heard: string[] = [];
	const handle = recording.attach({
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

describe("a recording", () => {
	it("tells whoever comes later all of it, heartbeats left out", () => {
		const { recording } = record();
		const first = listen(recording);
		recording.events([say("a"), { type: "activity" }]);
		const second = listen(recording);
		recording.events([say("b"), END]);
		const third = listen(recording);
		expect(first.heard).toEqual(["a", "activity", "b", "turn-end"]);
		expect(second.heard).toEqual(["a", "b", "turn-end"]);
		expect(third.heard).toEqual(second.heard);
	});

	it("goes at the pace of the slowest, also when that one leaves", () => {
		const { recording, told } = record();
		const [slow, slower] = [listen(recording), listen(recording)];
		listen(recording);
		slow.handle.pause();
		slower.handle.pause();
		slow.handle.resume();
		expect(told).toEqual(["pause", "pause"]);
		slower.handle.cancel();
		expect(told).toEqual(["pause", "pause", "resume"]);
	});

	it.each([
		["ended", (recording: SharedReply) => recording.events([say("a"), END])],
		["failed", (recording: SharedReply) => recording.failed(new GatewayError("upstream-reset"))],
		["was left", (_recording: SharedReply, leave: () => void) => leave()],
	])("lets the run go, which holds its whole request, when the response %s", async (_how, end) => {
		let run: object | undefined = { pause() {}, resume() {}, cancel() {} };
		const held = new WeakRef(run);
		const recording = new SharedReply(run as TurnHandle, "a conversation", { name: "m", description: "m" });
		run = undefined;
		const { handle } = listen(recording);
		end(recording, () => handle.cancel());
		await collected(held);
		expect(recording.session).toBe("a conversation");
	});

	it("lets a run that is paused at the end of a response go on before it lets it go", () => {
		const { recording, told } = record();
		const { handle } = listen(recording);
		handle.pause();
		recording.events([say("a"), END]);
		handle.resume();
		expect(told).toEqual(["pause", "resume"]);
	});

	it("is given up with the last listener, and of no use from then on", () => {
		const { recording, told } = record();
		const [one, other] = [listen(recording), listen(recording)];
		one.handle.cancel();
		one.handle.cancel();
		expect([told, recording.usable]).toEqual([[], true]);
		other.handle.cancel();
		expect([told, recording.usable, recording.stands]).toEqual([["cancel"], false, false]);
	});

	it("that is over lets listeners go without a word to the run, which may wait for results", () => {
		const { recording, told } = record();
		const { handle } = listen(recording);
		recording.events([END]);
		handle.pause();
		handle.resume();
		handle.cancel();
		expect([told, recording.usable]).toEqual([[], true]);
	});

	it("of a failure is of no use", () => {
		const { recording } = record();
		const { heard } = listen(recording);
		recording.failed(new GatewayError("upstream-reset"));
		expect([heard, recording.usable, recording.stands]).toEqual([["upstream-reset"], false, false]);
	});

	it("that grows too long is no longer kept, but still stands", () => {
		const { recording } = record();
		const { heard } = listen(recording);
		recording.events([say("x".repeat(5 << 20))]);
		recording.events([say("y"), END]);
		expect(heard.slice(1)).toEqual(["y", "turn-end"]);
		expect([recording.usable, recording.stands, recording.size]).toEqual([false, true, 0]);
	});
});
