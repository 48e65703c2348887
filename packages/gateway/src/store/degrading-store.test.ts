import { describe, expect, it } from "vitest";
import { closing, until } from "../../test/kit/cleanup.ts";
import { ManualClock } from "../../test/kit/manual-clock.ts";
import { bytes, checkpoint, keyRecord, ledgerRow } from "../../test/store/sample-records.ts";
import { DegradingStore } from "./degrading-store.ts";
import { StoreUnavailableError, StoreVersionError } from "./errors.ts";
import { MEMORY_LIMITS } from "./limits.ts";
import { MemoryStore } from "./memory/memory-store.ts";
import type { Store } from "./store.ts";

const MINUTE = 60_000;
const unavailable = () => new StoreUnavailableError("out of order");

/** A store whose operations fail on demand. */
function breakable() {
	const inner = new MemoryStore({ now: () => 0 });
	const state: { error: (() => Error) | undefined; opened: number; closed: number } = {
		error: undefined,
		opened: 0,
		closed: 0,
	};
	const store = new Proxy(inner as Store, {
		get(target, name) {
			if (name === "close") return async () => void state.closed++;
			const member = Reflect.get(target, name);
			if (typeof member !== "function") return name === "kind" ? "sqlite" : member;
			return async (...values: unknown[]) => {
				if (state.error) throw state.error();
				return member.apply(target, values);
			};
		},
	});
	const open = () => {
		if (state.error) throw state.error();
		state.opened++;
		return store;
	};
	return { inner, state, open };
}

async function setUp() {
	const clock = new ManualClock();
	const warnings: string[] = [];
	const { inner, state, open } = breakable();
	const memory = new MemoryStore({ now: () => 0, limits: MEMORY_LIMITS });
	const warn = (message: string) => warnings.push(message);
	const store = closing(await DegradingStore.open({ open, memory, clock, warn }));
	return { store, inner, state, clock, warnings, memory };
}

describe("a store that fails", () => {
	it("has the failing operation done in memory", async () => {
		const { store, state, inner } = await setUp();
		state.error = unavailable;
		expect(await store.putCheckpoint(...checkpoint("alice", "k", ["one"]))).toBe(true);
		expect(store.status()).toEqual({ mode: "memory", degraded: "out of order" });
		expect(await store.findCheckpoint("alice", "k")).toBeDefined();
		expect(await inner.findCheckpoint("alice", "k")).toBeUndefined();
	});

	it("is not asked again before a minute is over", async () => {
		const { store, state, clock, inner } = await setUp();
		state.error = unavailable;
		await store.putResponse("alice", "a", bytes("one"), 1000);
		state.error = undefined;
		await store.putResponse("alice", "b", bytes("two"), 1000);
		clock.advance(MINUTE - 1);
		expect(store.status().mode).toBe("memory");
		expect(await inner.getResponse("alice", "b")).toBeUndefined();
		clock.advance(1);
		await until(() => store.status().mode === "sqlite");
		await store.putResponse("alice", "c", bytes("three"), 1000);
		expect(await inner.getResponse("alice", "c")).toEqual(bytes("three"));
		expect(await store.getResponse("alice", "b")).toEqual(bytes("two"));
	});

	it("is given up where it cannot even be read", async () => {
		const { store, state, warnings } = await setUp();
		await store.putResponse("alice", "a", bytes("one"), 1000);
		state.error = unavailable;
		expect(await store.getResponse("alice", "a")).toBeUndefined();
		expect(store.status().mode).toBe("memory");
		expect(state.closed).toBe(1);
		expect(warnings).toHaveLength(1);
	});

	it("keeps the keys valid, and a key revoked meanwhile revoked", async () => {
		const { store, state, clock, inner } = await setUp();
		await store.addKey(keyRecord("a"));
		await store.addKey(keyRecord("b"));
		state.error = unavailable;
		expect((await store.listKeys()).map(({ id }) => id)).toEqual(["a", "b"]);
		expect(await store.revokeKey("a", 5)).toBe(true);
		state.error = undefined;
		// Another process has revoked one meanwhile, too.
		await inner.revokeKey("b", 6);
		clock.advance(MINUTE);
		await until(() => store.status().mode === "sqlite");
		expect((await store.listKeys()).map(({ id, revokedAt }) => [id, revokedAt])).toEqual([
			["a", 5],
			["b", 6],
		]);
		expect((await inner.listKeys()).map(({ revokedAt }) => revokedAt)).toEqual([5, 6]);
	});

	it("gets the ledger rows of the meantime, each once", async () => {
		const { store, state, clock, inner, memory } = await setUp();
		store.addToLedger(ledgerRow({ model: "before" }));
		clock.advance(1000);
		state.error = unavailable;
		store.addToLedger(ledgerRow({ model: "during" }));
		clock.advance(1000);
		await until(() => store.status().mode === "memory");
		state.error = undefined;
		expect((await store.lastRequests(5)).map(({ model }) => model)).toEqual(["during", "before"]);
		clock.advance(MINUTE);
		await until(() => store.status().mode === "sqlite");
		store.addToLedger(ledgerRow({ model: "after" }));
		expect((await store.lastRequests(5)).map(({ model }) => model)).toEqual(["after", "during", "before"]);
		expect((await inner.lastRequests(5)).map(({ model }) => model)).toEqual(["after", "during", "before"]);
		expect(memory.ledgerRows()).toEqual([]);
	});
});

describe("an error that is a bug", () => {
	it("reaches the caller and changes nothing", async () => {
		const { store, state, warnings } = await setUp();
		state.error = () => new TypeError("bug");
		await expect(store.putResponse("alice", "a", bytes("one"), 1)).rejects.toThrow("bug");
		await expect(store.getResponse("alice", "a")).rejects.toThrow("bug");
		expect(store.status()).toEqual({ mode: "sqlite" });
		expect(warnings).toEqual([]);
	});

	it("in the ledger is a warning, and later rows are written", async () => {
		const { store, state, warnings, inner } = await setUp();
		state.error = () => new TypeError("bug");
		store.addToLedger(ledgerRow({ model: "lost" }));
		await expect(store.lastRequests(1)).rejects.toThrow("bug");
		expect(warnings).toEqual([expect.stringContaining("1 rows of the ledger were lost: bug")]);
		state.error = undefined;
		store.addToLedger(ledgerRow({ model: "kept" }));
		await store.close();
		expect((await inner.lastRequests(5)).map(({ model }) => model)).toEqual(["kept"]);
	});
});

describe("opening", () => {
	it("throws what is not a matter of availability", async () => {
		const open = () => {
			throw new StoreVersionError("newer");
		};
		const memory = new MemoryStore({ now: () => 0 });
		const clock = new ManualClock();
		await expect(DegradingStore.open({ open, memory, clock, warn: () => {} })).rejects.toThrow(StoreVersionError);
	});
});

describe("closing", () => {
	it("writes the rows that wait, and ends the timers", async () => {
		const { store, state, inner, clock } = await setUp();
		store.addToLedger(ledgerRow({ model: "last" }));
		await store.close();
		expect((await inner.lastRequests(1))[0]?.model).toBe("last");
		expect(state.closed).toBe(1);
		state.error = unavailable;
		clock.advance(60 * MINUTE);
		expect(store.status()).toEqual({ mode: "sqlite" });
	});

	it("ends the attempts to come back", async () => {
		const { store, state, clock } = await setUp();
		state.error = unavailable;
		await store.putResponse("alice", "a", bytes("one"), 1);
		await store.close();
		state.error = undefined;
		clock.advance(10 * MINUTE);
		expect(state.opened).toBe(1);
	});
});

it("cleans up every ten minutes", async () => {
	const { store, inner, clock } = await setUp();
	let cleaned = 0;
	inner.cleanUp = async () => void cleaned++;
	clock.advance(10 * MINUTE);
	clock.advance(10 * MINUTE);
	await until(() => cleaned === 2);
	expect(store.status().mode).toBe("sqlite");
});
