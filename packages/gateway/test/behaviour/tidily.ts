import { expect, onTestFinished } from "vitest";
import { until } from "../kit/cleanup.ts";
import { openSockets } from "../kit/network/open-sockets.ts";
import type { OpenThings, Rig, StartRig } from "./rig.ts";

/**
 * A rig that holds every row, whatever it is about, to leaving nothing behind: no stream on either side, no timer, no
 * run but one that waits for its tools, and once everything is closed no socket.
 */
export function tidily(start: StartRig): StartRig {
	return async (options) => {
		const socketsBefore = openSockets();
		// Hooks run last first: this one when the rig and all that it opened is closed.
		onTestFinished(() => until(() => openSockets() <= socketsBefore));
		const rig = await start(options);
		let parks = false;
		onTestFinished(() => leavesNothing(rig, parks));
		return {
			...rig,
			async ask(request, more) {
				const response = await rig.ask(request, more);
				parks = response.turn?.end?.reason === "tool-calls";
				return response;
			},
		};
	};
}

async function leavesNothing(rig: Rig, parks: boolean): Promise<void> {
	const { parked } = rig.open();
	expect(parked).toBeLessThanOrEqual(parks ? 1 : 0);
	const expected: Left = { runs: parked, streams: parked, exchanges: parked, timers: [] };
	const isTidy = () => JSON.stringify(left(rig, parked > 0)) === JSON.stringify(expected);
	await Promise.race([until(isTidy), new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS))]);
	expect(left(rig, parked > 0)).toEqual(expected);
}

/** Much longer than anything is given to close by itself; a stream that stays open stays for minutes. */
const LONGEST_WAIT_MS = 120_000;

type Left = Pick<OpenThings, "runs" | "streams" | "timers"> & { exchanges: number };

function left(rig: Rig, parks: boolean): Left {
	const { runs, streams, timers } = rig.open();
	const { exchanges } = rig.emulator.stats();
	// A run that waits is woken every second, and looked at when its time is up.
	const ofTurns = parks ? timers.filter((stack) => !/pulse\.ts|run-sessions\.ts/.test(stack)) : timers;
	return { runs, streams, exchanges: exchanges.open, timers: ofTurns };
}
