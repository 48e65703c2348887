// What can be asked of the ledger, and how full the pools were: the same of every store.
import { describe, expect, it } from "vitest";
import { daysOf, hoursOf, modelsOf, sumsOf } from "../../src/store/ledger-figures.ts";
import type { LedgerRow } from "../../src/store/ledger-row.ts";
import { tidyRow } from "../../src/store/ledger-row.ts";
import type { StoreLimits } from "../../src/store/limits.ts";
import type { PoolReading } from "../../src/store/pool-readings.ts";
import type { Store } from "../../src/store/store.ts";
import { closing } from "../kit/cleanup.ts";
import { IMPLEMENTATIONS, stopRedisAfterTests } from "./implementations.ts";
import { ledgerRow, limits, Time } from "./stores.ts";

stopRedisAfterTests();

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** A Sunday at noon, wherever the test runs. */
const NOON = new Date(2026, 10, 15, 12).getTime();

/** Every field of a row. */
const FULL: Required<LedgerRow> = {
	...(ledgerRow() as Required<LedgerRow>),
	answered: "composer-1",
	pool: "auto",
	reason: "no history",
	conversation: "c1",
	runId: "r1",
	errorKind: "upstream-reset",
	tools: "read,write",
	warnings: "one; two",
	requestId: "q1",
	client: "claude-cli",
	sentMs: 1,
	firstThinkingMs: 2,
	firstTextMs: 3,
	firstCallMs: 4,
	waitedMs: 5,
	gatewayUs: 6,
	systemTokens: 7,
	toolTokens: 8,
	historyTokens: 9,
	resultTokens: 10,
	imageTokens: 11,
	messageTokens: 12,
};

describe.each(Object.entries(IMPLEMENTATIONS))("the ledger of the %s store", (_name, make) => {
	async function setUp(changes: Partial<StoreLimits> = {}) {
		const time = new Time();
		return { time, store: closing(await make(time.now, limits({ ledgerRows: 100_000, ...changes }))) };
	}

	/** The models of the rows that a filter finds, newest first, and how many there are. */
	async function found(store: Store, filter: Parameters<Store["findRows"]>[0], limit = 10): Promise<[string, number]> {
		const { rows, total } = await store.findRows(filter, limit);
		return [rows.map(({ model }) => model).join(" "), total];
	}

	it("gives back every field, by the id of the row", async () => {
		const { store } = await setUp();
		await store.appendLedger([FULL, ledgerRow({ firstTokenMs: undefined })].map(tidyRow));
		const [bare, full] = await store.lastRequests(2);
		expect(full).toEqual({ ...FULL, id: full!.id });
		expect(Object.keys(bare!)).not.toContain("firstTokenMs");
		expect(await store.findRow(full!.id)).toEqual(full);
		expect(await store.findRow(full!.id + 100)).toBeUndefined();
	});

	it("finds rows by what a filter says, and counts them", async () => {
		const { store } = await setUp();
		await store.appendLedger([
			ledgerRow({ model: "a", at: NOON - DAY }),
			ledgerRow({ model: "b", caller: "bob" }),
			ledgerRow({ model: "c", path: "parked", latencyMs: 5_000 }),
			ledgerRow({ model: "d", errorKind: "internal", status: 500 }),
			ledgerRow({ model: "e", caller: "bob", latencyMs: 101 }),
		]);
		expect(await found(store, {})).toEqual(["e d c b a", 5]);
		expect(await found(store, {}, 2)).toEqual(["e d", 5]);
		expect(await found(store, {}, 0)).toEqual(["", 5]);
		expect(await found(store, { caller: "bob" })).toEqual(["e b", 2]);
		expect(await found(store, { caller: "nobody" })).toEqual(["", 0]);
		expect(await found(store, { model: "c" })).toEqual(["c", 1]);
		expect(await found(store, { path: "parked" })).toEqual(["c", 1]);
		expect(await found(store, { errorsOnly: true })).toEqual(["d", 1]);
		expect(await found(store, { errorsOnly: false, caller: undefined as never })).toEqual(["e d c b a", 5]);
		expect(await found(store, { slowerThanMs: 100 })).toEqual(["e c", 2]);
		expect(await found(store, { since: NOON - DAY + 1 })).toEqual(["e d c b", 4]);
		expect(await found(store, { caller: "bob", slowerThanMs: 100, since: NOON - DAY })).toEqual(["e", 1]);
	});

	it("goes on from a row to older ones, each once, with and without a filter", async () => {
		const { store } = await setUp();
		const rows = Array.from({ length: 2_500 }, (_, index) =>
			ledgerRow({ model: `${index}`, caller: index % 2 ? "odd" : "even", at: NOON + Math.floor(index / 10) }),
		);
		for (let first = 0; first < rows.length; first += 500) await store.appendLedger(rows.slice(first, first + 500));
		for (const [filter, most, total] of [
			[{}, 700, 2_500],
			[{ caller: "odd" }, 400, 1_250],
		] as const) {
			const seen: number[] = [];
			for (let beforeId: number | undefined; ; ) {
				const page = await store.findRows({ ...filter, ...(beforeId !== undefined && { beforeId }) }, most);
				expect(page.total).toBe(total);
				seen.push(...page.rows.map(({ model }) => Number(model)));
				beforeId = page.rows.at(-1)?.id;
				if (page.rows.length < most) break;
			}
			expect(seen).toEqual(rows.map((_, index) => 2_499 - index).filter((index) => total === 2_500 || index % 2));
		}
		expect(await found(store, { beforeId: Number.MAX_SAFE_INTEGER }, 1)).toEqual(["2499", 2_500]);
	});

	it("has the last 200 turns of a conversation, in their order", async () => {
		const { store } = await setUp();
		const rows = Array.from({ length: 250 }, (_, index) => ledgerRow({ model: `${index}`, conversation: "c" }));
		await store.appendLedger([ledgerRow({ model: '"conversation":"c"' }), ...rows, ledgerRow({ conversation: "cc" })]);
		const found = await store.conversationRows("c");
		expect(found.map(({ model }) => Number(model))).toEqual(Array.from({ length: 200 }, (_, index) => 50 + index));
		expect(await store.conversationRows("none")).toEqual([]);
	});

	it("knows the names that there are, however many", async () => {
		const { store } = await setUp();
		expect(await store.ledgerNames()).toEqual({ callers: [], models: [] });
		const junk = Array.from({ length: 600 }, (_, index) =>
			ledgerRow({ model: `junk ${String(index).padStart(4, "0")}` }),
		);
		await store.appendLedger([...junk, ledgerRow({ caller: "bob", model: "a" }), ledgerRow({ model: "a" })]);
		const { callers, models } = await store.ledgerNames();
		expect(callers).toEqual(["alice", "bob"]);
		expect(models).toHaveLength(500);
		expect(models.slice(0, 2)).toEqual(["a", "junk 0000"]);
	});

	it("adds up by caller, model and conversation", async () => {
		const { store } = await setUp();
		await store.appendLedger([
			ledgerRow({ at: NOON - 1 }),
			ledgerRow({ at: NOON, conversation: "c" }),
			ledgerRow({ at: NOON, conversation: "c", errorKind: "internal" }),
			ledgerRow({ at: NOON + DAY, caller: "bob", model: "large", inputTokens: 1_000 }),
		]);
		const { all, byCaller, byModel, byConversation } = sumsOf(await store.ledgerGroups("user", NOON));
		const two = { turns: 2, errors: 1, inputTokens: 20, cachedTokens: 6, outputTokens: 10, reasoningTokens: 4 };
		const one = { turns: 1, errors: 0, inputTokens: 1_000, cachedTokens: 3, outputTokens: 5, reasoningTokens: 2 };
		expect(all).toEqual({
			turns: 3,
			errors: 1,
			inputTokens: 1_020,
			cachedTokens: 9,
			outputTokens: 15,
			reasoningTokens: 6,
		});
		expect(byCaller).toEqual([
			{ name: "bob", ...one },
			{ name: "alice", ...two },
		]);
		expect(byModel).toEqual([
			{ name: "large", ...one },
			{ name: "auto", ...two },
		]);
		expect(byConversation).toEqual([{ name: "c", ...two }]);
	});

	it("tells days and hours in the time zone of the gateway, with first tokens and rungs", async () => {
		const { store } = await setUp();
		const late = new Date(2026, 10, 15, 23, 59).getTime();
		await store.appendLedger([
			...Array.from({ length: 100 }, (_, index) => ledgerRow({ at: NOON, firstTokenMs: index, gatewayUs: 1_500 })),
			ledgerRow({ at: late, firstTokenMs: undefined, path: "none", errorKind: "internal" }),
			ledgerRow({ at: late + 2 * MINUTE, firstTokenMs: 7, path: "parked" }),
		]);
		const groups = await store.ledgerGroups("time", 0);
		const [sunday, monday, ...others] = daysOf(groups);
		expect(others).toEqual([]);
		expect(sunday).toMatchObject({ day: "2026-11-15", turns: 101, errors: 1, rungs: { new: 100, none: 1 } });
		expect(sunday).toMatchObject({ firstTokenP50: 50, firstTokenP95: 95, gatewayP50: 1.5, inputTokens: 1_010 });
		expect(monday).toMatchObject({ day: "2026-11-16", turns: 1, rungs: { parked: 1 }, firstTokenP50: 7 });
		expect(monday!.gatewayP50).toBeUndefined();
		expect(hoursOf(groups)).toEqual([
			{ weekday: 0, hour: 0, turns: 1 },
			{ weekday: 6, hour: 12, turns: 100 },
			{ weekday: 6, hour: 23, turns: 1 },
		]);
	});

	it("tells how models fared, and which names nobody has", async () => {
		const { store } = await setUp();
		await store.appendLedger([
			ledgerRow({ model: "alias", answered: "m", firstTokenMs: 100, latencyMs: 1_100, outputTokens: 50 }),
			ledgerRow({ model: "m", answered: "m", firstTokenMs: 300, latencyMs: 1_300, outputTokens: 150 }),
			ledgerRow({ model: "m", answered: "m", firstTokenMs: undefined, errorKind: "upstream-reset" }),
			ledgerRow({ model: "typo", firstTokenMs: undefined, errorKind: "model-not-found" }),
		]);
		expect(modelsOf(await store.ledgerGroups("model", 0))).toEqual({
			answered: [{ name: "m", turns: 3, errors: 1, firstTokenP50: 300, tokensPerSecond: 100 }],
			unanswered: [{ name: "typo", turns: 1 }],
		});
	});

	it("keeps a reading of a pool every ten minutes, and more of them where it moves", async () => {
		const { store, time } = await setUp();
		const begin = time.now();
		const read = (minute: number, usedPercent: number, more: Partial<PoolReading> = {}) =>
			store.addPoolReading({ at: begin + minute * MINUTE, pool: "api", usedPercent, ...more });
		await read(0, 10);
		await read(1, 10.9);
		await read(2, 11, { usedCents: 110, limitCents: 1_000, resetsAt: begin + DAY });
		await read(3, 11, { pool: "auto" });
		await read(11, 11.5);
		await read(12, 11.5);
		await read(20, 0);
		const kept = await store.poolReadings(begin);
		expect(kept.map(({ at, pool, usedPercent }) => [(at - begin) / MINUTE, pool, usedPercent])).toEqual([
			[0, "api", 10],
			[2, "api", 11],
			[3, "auto", 11],
			[12, "api", 11.5],
			[20, "api", 0],
		]);
		expect(kept[1]).toEqual({
			...{ at: begin + 2 * MINUTE, pool: "api", usedPercent: 11 },
			...{ usedCents: 110, limitCents: 1_000, resetsAt: begin + DAY },
		});
		expect(await store.poolReadings(begin + 12 * MINUTE)).toHaveLength(2);
		time.pass(101 * DAY);
		await read(101 * 24 * 60, 50);
		await store.cleanUp();
		expect((await store.poolReadings(0)).map(({ usedPercent, pool }) => [pool, usedPercent])).toContainEqual([
			"api",
			50,
		]);
		expect((await store.poolReadings(0)).filter(({ pool }) => pool === "api")).toHaveLength(1);
	});
});
