import { askChat } from "../kit/chat-client.ts";
import { startTestGateway } from "../kit/gateway.ts";
import { describeBehaviours } from "./behaviours.ts";
import type { Bench, BenchOptions } from "./bench.ts";

/** The whole product, asked in Chat Completions. */
function startOn(http1: boolean) {
	return async (options: BenchOptions = {}): Promise<Bench> => {
		const gateway = await startTestGateway({ ...options, settings: { http1 } });
		return {
			emulator: gateway.emulator,
			expireToken: () => gateway.emulator.expireTokens(),
			ask: (request, { onEvent, signal } = {}) => askChat(gateway, request, onEvent, signal),
		};
	};
}

describeBehaviours("Chat Completions over HTTP/2", startOn(false));
describeBehaviours("Chat Completions over HTTP/1.1", startOn(true));
