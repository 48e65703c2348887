import { onTestFinished } from "vitest";
import type { CursorRun } from "../../src/upstream/run/run.ts";
import { CountingClock } from "../kit/counting-clock.ts";
import { type ChannelName, listen, startUpstream } from "../kit/upstream.ts";
import { describeBehaviours } from "./behaviours.ts";
import type { Rig, RigOptions } from "./rig.ts";

/** The Cursor client alone: tool results that answer a waiting run go into it, everything else is a new run. */
function startOn(channel: ChannelName) {
	return async (options: RigOptions = {}): Promise<Rig> => {
		const clock = new CountingClock();
		const upstream = await startUpstream({ ...options, channel, clock });
		const waiting = new Map<string, CursorRun>();
		const parked = () => new Set([...waiting.values()].filter(({ phase }) => phase === "waiting")).size;
		onTestFinished(() => {
			for (const run of waiting.values()) run.cancel();
		});
		return {
			emulator: upstream.emulator,
			open: () => ({
				parked: parked(),
				runs: upstream.services.pulse.size,
				streams: upstream.openStreams(),
				timers: clock.ofTurns(),
			}),
			leap: (ms) => clock.leap(ms),
			countsReasoning: true,
			expireToken: () => upstream.emulator.expireTokens(),
			async ask(request, { onEvent, signal } = {}) {
				const last = request.messages.at(-1)!;
				const parked = last.role === "tool" ? waiting.get(last.content[0]!.callId) : undefined;
				const name = request.model;
				const model = name ? { model: { id: name, parameters: {}, maxMode: false, name } } : {};
				const run =
					parked ??
					upstream.newRun(request, model, {
						parked: (self) => {
							for (const id of self.pendingCalls) waiting.set(id, self);
						},
					});
				const left = new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
				const listening = listen((listener) => {
					if (parked && last.role === "tool") parked.giveResults(last.content, listener);
					else run.open(listener);
				}, onEvent);
				void left.then(() => run.cancel());
				return Promise.race([listening, left.then(() => ({}) as never)]);
			},
		};
	};
}

describeBehaviours("the Cursor client over HTTP/2", startOn("h2-duplex"));
describeBehaviours("the Cursor client over HTTP/1.1", startOn("sse-append"));
