import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Catalog } from "./catalog.ts";
import { ModelCache } from "./lists/model-cache.ts";
import { listedModel } from "./lists/model-lists.ts";

it("is when a model came: kept over restarts, and for one that was gone for a while", async () => {
	const dataDir = mkdtempSync(join(tmpdir(), "cursorwire-first-seen-"));
	onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
	/** Simulates a new process each time. */
	const appeared: string[] = [];
	const seenAt = async (now: number, ids: string[]) => {
		const catalog = new Catalog({
			readLists: async () => ({ lists: { usable: ids.map(listedModel) }, problem: undefined }),
			cache: new ModelCache(dataDir, new URL("http://cursor.test"), "me"),
			aliases: {},
			maxMode: false,
			modelAppeared: (id) => appeared.push(id),
			now: () => now,
		});
		const { models } = await catalog.refresh();
		return Object.fromEntries(models.map(({ id, firstSeen }) => [id, firstSeen]));
	};
	expect(await seenAt(1_000, ["one", "two"])).toEqual({ one: 1_000, two: 1_000 });
	expect(await seenAt(2_000, ["one", "three"])).toEqual({ one: 1_000, three: 2_000 });
	expect(await seenAt(3_000, ["two", "three", "four"])).toEqual({ two: 1_000, three: 2_000, four: 3_000 });
	expect(appeared).toEqual(["three", "four"]);
});
