import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sizeOfBytes, sizeOfState } from "../../src/store/limits.ts";
import type { Store } from "../../src/store/store.ts";
import { IMPLEMENTATIONS, stopRedisAfterTests } from "./implementations.ts";
import { blobsOf, bytes, checkpoint, limits, Time, text } from "./stores.ts";

stopRedisAfterTests();

const TTL = 1000;
const BUDGET = { perCaller: 4000, total: 7000 };

interface Kept {
	caller: string;
	key: string;
	contents: string[];
	state: string;
	usedAt: number;
}

/** What the store promises about checkpoints, in the most obvious way. */
class Model {
	kept: Kept[] = [];
	readonly #now: () => number;

	constructor(now: () => number) {
		this.#now = now;
	}

	put(caller: string, key: string, contents: string[], given: string[], state: string): boolean {
		const mine = this.kept.filter((entry) => entry.caller === caller);
		const known = new Set([...given, ...mine.flatMap((entry) => entry.contents)]);
		if (!contents.every((content) => known.has(content))) return false;
		const entry = { caller, key, contents: [...new Set(contents)], state, usedAt: this.#now() };
		if (bytesOf([entry]) > BUDGET.perCaller) return false;
		this.kept = [...this.kept.filter((other) => other.caller !== caller || other.key !== key), entry];
		this.#evict(caller, BUDGET.perCaller);
		this.#evict(undefined, BUDGET.total);
		return true;
	}

	find(caller: string, key: string): Kept | undefined {
		const found = this.kept.find((entry) => entry.caller === caller && entry.key === key);
		if (!found || found.usedAt + TTL <= this.#now()) return undefined;
		found.usedAt = this.#now();
		return found;
	}

	cleanUp(): void {
		this.kept = this.kept.filter(({ usedAt }) => usedAt + TTL > this.#now());
	}

	#evict(caller: string | undefined, limit: number): void {
		for (;;) {
			const entries = this.kept.filter((entry) => caller === undefined || entry.caller === caller);
			if (bytesOf(entries) <= limit) return;
			const oldest = entries.reduce((a, b) => (b.usedAt < a.usedAt ? b : a));
			this.kept = this.kept.filter((entry) => entry !== oldest);
		}
	}
}

function bytesOf(entries: Kept[]): number {
	const blobs = new Map<string, string>();
	for (const { caller, contents } of entries)
		for (const content of contents) blobs.set(`${caller}:${content}`, content);
	const states = entries.map(({ state, contents }) => sizeOfState(bytes(state), contents.length));
	return [...states, ...[...blobs.values()].map((content) => sizeOfBytes(bytes(content)))].reduce((a, b) => a + b, 0);
}

const caller = fc.constantFrom("alice", "bob", "carol");
const key = fc.constantFrom("k1", "k2", "k3", "k4");
const content = fc.constantFrom(
	...["a", "b", "c", "d", "e", "f"].map((letter, index) => letter.repeat(1 + index * 250)),
);
const contents = fc.array(content, { maxLength: 5 });

const step = fc.oneof(
	{
		weight: 5,
		arbitrary: fc.record({
			op: fc.constant("put" as const),
			caller,
			key,
			contents,
			given: contents,
			all: fc.boolean(),
			state: fc.string({ maxLength: 600 }),
		}),
	},
	{ weight: 4, arbitrary: fc.record({ op: fc.constant("find" as const), caller, key }) },
	{ weight: 1, arbitrary: fc.record({ op: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: TTL }) }) },
	{ weight: 1, arbitrary: fc.record({ op: fc.constant("clean up" as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function run(store: Store, model: Model, time: Time, next: Step): Promise<void> {
	time.pass(1);
	switch (next.op) {
		case "put": {
			const given = next.all ? next.contents : next.given;
			const [record] = checkpoint(next.caller, next.key, next.contents, next.state);
			const kept = await store.putCheckpoint(record, blobsOf(given));
			expect(kept).toBe(model.put(next.caller, next.key, next.contents, given, next.state));
			return;
		}
		case "find":
			return expectSame(store, model, next.caller, next.key);
		case "wait":
			return time.pass(next.ms);
		case "clean up":
			model.cleanUp();
			return store.cleanUp();
	}
}

async function expectSame(store: Store, model: Model, caller: string, key: string): Promise<void> {
	const found = await store.findCheckpoint(caller, key);
	const expected = model.find(caller, key);
	expect(text(found?.state)).toBe(expected?.state);
	expect(found?.blobs).toEqual(expected && blobsOf(expected.contents));
}

describe.each(Object.entries(IMPLEMENTATIONS))("checkpoints in the %s store", (_name, make) => {
	it("are those of the model after any sequence of steps", async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
				const time = new Time();
				const store = await make(time.now, limits({ checkpointTtlMs: TTL, checkpoints: BUDGET }));
				const model = new Model(time.now);
				for (const next of steps) await run(store, model, time, next);
				for (const name of ["alice", "bob", "carol"]) {
					for (const one of ["k1", "k2", "k3", "k4"]) {
						time.pass(1);
						await expectSame(store, model, name, one);
					}
				}
				await store.close();
			}),
			{ numRuns: 40 },
		);
	});
});
