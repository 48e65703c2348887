import { expect, it } from "vitest";
import type { TurnEvent } from "../../src/turn/event.ts";
import { closing } from "../kit/cleanup.ts";
import { TcpProxy } from "../kit/network/tcp-proxy.ts";
import { listen, startUpstream, user } from "../kit/upstream.ts";

const PROMPT = "one two ä€😀 three";
/** Longer than what the emulator sends for this prompt, its SETTINGS and headers included. */
const MOST_BYTES = 3_000;
const KINDS = new Set(["upstream-reset", "upstream-unavailable", "upstream-protocol"]);

const textOf = (events: readonly TurnEvent[]) =>
	events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");

it.each(["h2-duplex", "sse-append"] as const)(
	"U6: a connection over %s that is reset at any byte gives an error or the answer, and never another text",
	async (channel) => {
		const upstream = await startUpstream({
			channel,
			limits: { transportRetries: 0, serverRetries: 0 },
			emulator: { brain: "echo" },
		});
		const proxy = closing(await TcpProxy.listen(new URL(upstream.emulator.url)));
		upstream.account.origin = () => proxy.origin;
		let successes = 0;
		let failures = 0;
		for (let bytes = 0; bytes < MOST_BYTES && successes < 3; bytes++) {
			proxy.clear();
			proxy.add({ type: "limit_data", bytes, reset: true });
			// Another account each time: a breaker that opens after a few of them is not what is looked at here.
			upstream.account.key = `account-${bytes}`;
			const run = upstream.newRun({ messages: [user(PROMPT)] });
			const response = await listen((listener) => run.open(listener));
			if (response.error) {
				failures++;
				expect(KINDS).toContain(response.error.kind);
				expect(PROMPT.startsWith(textOf(response.events))).toBe(true);
			} else {
				successes++;
				expect(response.text).toBe(PROMPT);
			}
		}
		expect(failures).toBeGreaterThan(100);
		expect(successes).toBe(3);
		expect(upstream.services.pulse.size).toBe(0);
	},
);
