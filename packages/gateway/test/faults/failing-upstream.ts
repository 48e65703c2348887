// A gateway before an upstream that fails, with a count of what clients asked and what reached the upstream.
import type { Emulator } from "cursorwire-emulator";
import { expect } from "vitest";
import { startTestGateway, type TestGatewayOptions } from "../kit/gateway.ts";

export interface FailingUpstream extends Awaited<ReturnType<typeof startTestGateway>> {
	/** States of the breaker, as they were logged. */
	states: string[];
	/** Runs that were opened upstream, on either channel, whatever became of them. */
	runs(): number;
	/** One request of a client. */
	ask(body?: object, init?: RequestInit): Promise<Response>;
	/** Asks until the breaker is open, which takes no more than a few requests. */
	untilOpen(): Promise<void>;
}

export async function startFailing(options: TestGatewayOptions): Promise<FailingUpstream> {
	const states: string[] = [];
	const gateway = await startTestGateway({
		...options,
		onLog: (entry) => {
			options.onLog?.(entry);
			if (entry.breaker !== undefined) states.push(String(entry.breaker));
		},
	});
	const ask: FailingUpstream["ask"] = (body = {}, init) =>
		gateway.post(
			"/v1/chat/completions",
			{ model: "composer-1", messages: [{ role: "user", content: "hello" }], ...body },
			init,
		);
	return {
		...gateway,
		states,
		runs: () => runsOf(gateway.emulator),
		ask,
		async untilOpen() {
			for (let count = 0; states.at(-1) !== "open"; count++) {
				expect(count, "requests until the breaker is open").toBeLessThan(10);
				await (await ask()).text();
			}
		},
	};
}

export function runsOf(emulator: Emulator): number {
	const { rpcs } = emulator.stats();
	return (rpcs["/agent.v1.AgentService/Run"] ?? 0) + (rpcs["/agent.v1.AgentService/RunSSE"] ?? 0);
}
