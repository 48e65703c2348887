import { CountingClock } from "../kit/counting-clock.ts";
import { askIn, type DialectClient } from "../kit/dialects/dialect-client.ts";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";
import { describeBehaviours } from "./behaviours.ts";
import type { OpenThings, Rig, RigOptions } from "./rig.ts";

/** The whole product, asked in one dialect, over both of Cursor's channels. */
export function describeDialect(client: DialectClient): void {
	describeBehaviours(`${client.name} over HTTP/2`, startOn(client, false));
	describeBehaviours(`${client.name} over HTTP/1.1`, startOn(client, true));
}

/** What is open in a whole gateway. */
export function openIn({ gateway }: TestGateway, clock: CountingClock): OpenThings {
	const { runs, http2, http1 } = gateway.upstream();
	const streams = http2.openStreams + http2.waiting + http1.openStreams;
	return { parked: gateway.parkedRuns(), runs, streams, timers: clock.ofTurns() };
}

function startOn(client: DialectClient, http1: boolean) {
	return async (options: RigOptions = {}): Promise<Rig> => {
		const clock = new CountingClock();
		const gateway = await startTestGateway({ ...options, settings: { http1 }, clock });
		return {
			emulator: gateway.emulator,
			open: () => openIn(gateway, clock),
			leap: (ms) => clock.leap(ms),
			countsReasoning: client.countsReasoning,
			expireToken: () => gateway.emulator.expireTokens(),
			ask: (request, { onEvent, signal } = {}) => askIn(client, gateway, request, onEvent, signal),
		};
	};
}
