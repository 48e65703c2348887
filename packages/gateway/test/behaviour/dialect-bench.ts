import { askIn, type DialectClient } from "../kit/dialect-client.ts";
import { startTestGateway } from "../kit/gateway.ts";
import { describeBehaviours } from "./behaviours.ts";
import type { Bench, BenchOptions } from "./bench.ts";

/** The whole product, asked in one dialect, over both of Cursor's channels. */
export function describeDialect(client: DialectClient): void {
	describeBehaviours(`${client.name} over HTTP/2`, startOn(client, false));
	describeBehaviours(`${client.name} over HTTP/1.1`, startOn(client, true));
}

function startOn(client: DialectClient, http1: boolean) {
	return async (options: BenchOptions = {}): Promise<Bench> => {
		const gateway = await startTestGateway({ ...options, settings: { http1 } });
		return {
			emulator: gateway.emulator,
			countsReasoning: client.countsReasoning,
			expireToken: () => gateway.emulator.expireTokens(),
			ask: (request, { onEvent, signal } = {}) => askIn(client, gateway, request, onEvent, signal),
		};
	};
}
