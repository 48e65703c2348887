import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../test/kit/manual-clock.ts";
import type { SendResult } from "./otlp-sender.ts";
import type { Span } from "./span.ts";
import { SpanQueue } from "./span-queue.ts";

const SPAN: Span = { traceId: "a", spanId: "b", name: "x", kind: "server", startedAt: 0, endedAt: 1, attributes: {} };
const settled = () => new Promise((resolve) => setImmediate(resolve));

function setUp(...results: SendResult[]) {
	const clock = new ManualClock();
	const sent: number[] = [];
	const warnings: string[] = [];
	const queue = new SpanQueue({
		clock,
		delayMs: 1_000,
		warn: (message) => warnings.push(message),
		send: async (spans) => {
			sent.push(spans.length);
			return results.shift() ?? { how: "sent" };
		},
	});
	const write = (count: number) => {
		for (let index = 0; index < count; index++) queue.write(SPAN);
	};
	return { clock, queue, sent, warnings, write };
}

describe("spans on their way", () => {
	it("are sent together, in batches", async () => {
		const { clock, sent, write } = setUp();
		write(600);
		expect(sent).toEqual([]);
		clock.advance(1_000);
		await settled();
		expect(sent).toEqual([512]);
		clock.advance(1_000);
		await settled();
		expect(sent).toEqual([512, 88]);
	});

	it("wait for a collector that is away, for twice as long each time", async () => {
		const away = { how: "later", reason: "ECONNREFUSED" } as const;
		const { clock, sent, write, queue } = setUp(away, away);
		write(1);
		for (const ms of [1_000, 2_000, 4_000]) {
			clock.advance(ms - 1);
			await settled();
			const before = sent.length;
			clock.advance(1);
			await settled();
			expect(sent.length).toBe(before + 1);
		}
		expect(queue.dropped).toBe(0);
	});

	it("are dropped beyond what may wait, which is said once", async () => {
		const { queue, warnings, write } = setUp();
		write(2_048 + 10);
		expect(queue.dropped).toBe(10);
		expect(warnings).toHaveLength(1);
		await queue.close(1_000);
		expect(queue.dropped).toBe(10);
	});

	it("are dropped at the end if the collector does not take them", async () => {
		const { queue, sent, write } = setUp({ how: "later", reason: "ECONNREFUSED" });
		write(3);
		await queue.close(1_000);
		expect(sent).toEqual([3]);
		expect(queue.dropped).toBe(3);
	});
});
