import { expect, it } from "vitest";
import { ManualClock } from "../../test/kit/manual-clock.ts";
import { ledgerRow } from "../../test/store/sample-records.ts";
import { LedgerBuffer } from "./ledger-buffer.ts";
import type { LedgerRow } from "./ledger-row.ts";

function setUp() {
	const clock = new ManualClock();
	const batches: LedgerRow[][] = [];
	const write = async (rows: LedgerRow[]) => void batches.push(rows);
	return { clock, batches, buffer: new LedgerBuffer({ write, clock, everyMs: 500, maxRows: 4 }) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it("writes the first row at once, and then all rows of half a second together", async () => {
	const { buffer, clock, batches } = setUp();
	expect(buffer.isBusy).toBe(false);
	buffer.record(ledgerRow({ model: "first" }));
	expect(buffer.isBusy).toBe(true);
	expect(batches.splice(0).map((rows) => rows.map(({ model }) => model))).toEqual([["first"]]);
	await settled();
	buffer.record(ledgerRow({ model: "a" }));
	clock.advance(499);
	buffer.record(ledgerRow({ model: "b" }));
	await settled();
	expect(batches).toEqual([]);
	clock.advance(1);
	await settled();
	expect(batches.map((rows) => rows.map(({ model }) => model))).toEqual([["a", "b"]]);
	clock.advance(5000);
	await settled();
	expect(batches).toHaveLength(1);
	expect(buffer.isBusy).toBe(false);
	buffer.record(ledgerRow({ model: "c" }));
	expect(batches).toHaveLength(2);
});

it("does not wait longer when there are many, but lets the request end first", async () => {
	const { buffer, clock, batches } = setUp();
	for (const model of ["first", "a", "b", "c", "d", "e"]) buffer.record(ledgerRow({ model }));
	await settled();
	expect(batches.map((rows) => rows.length)).toEqual([1]);
	clock.advance(0);
	await settled();
	expect(batches.map((rows) => rows.length)).toEqual([1, 5]);
});

it("keeps the order of batches when a write is slow", async () => {
	const order: string[] = [];
	let finishFirst = () => {};
	const write = async ([row]: LedgerRow[]) => {
		if (row?.model === "slow") await new Promise<void>((resolve) => (finishFirst = resolve));
		order.push(row!.model);
	};
	const buffer = new LedgerBuffer({ write, clock: new ManualClock() });
	buffer.record(ledgerRow({ model: "slow" }));
	const first = buffer.flush();
	buffer.record(ledgerRow({ model: "fast" }));
	const second = buffer.flush();
	await settled();
	expect(order).toEqual([]);
	finishFirst();
	await Promise.all([first, second]);
	expect(order).toEqual(["slow", "fast"]);
});

it("makes rows fit for any store", async () => {
	const { buffer, batches } = setUp();
	buffer.record(
		ledgerRow({
			model: `\0\ud800${"x".repeat(1_000_000)}`,
			latencyMs: 12.6,
			inputTokens: Number.NaN,
			outputTokens: -1,
			firstTokenMs: Number.POSITIVE_INFINITY,
		}),
	);
	await buffer.flush();
	const row = batches[0]![0]!;
	expect(row.model).toBe(`\ufffd\ufffd${"x".repeat(254)}`);
	expect(row).toMatchObject({ latencyMs: 13, inputTokens: 0, outputTokens: 0, firstTokenMs: 0, status: 200 });
	expect(row.errorKind).toBeUndefined();
});
