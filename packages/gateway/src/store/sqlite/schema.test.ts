import { join } from "node:path";
import { expect, it } from "vitest";
import { closing } from "../../../test/kit/cleanup.ts";
import { backTo } from "../../../test/store/earlier-schema.ts";
import { ledgerRow, temporaryFolder } from "../../../test/store/stores.ts";
import { SqlDatabase } from "./database.ts";
import { SqliteStore } from "./sqlite-store.ts";

const open = (file: string) => closing(new SqliteStore({ file, now: Date.now, warn: expect.fail }));

it("the ledger of an earlier version keeps its rows, and takes new ones", async () => {
	const file = join(temporaryFolder(), "cursorwire.db");
	await open(file).close();
	const database = new SqlDatabase(file, { busyTimeoutMs: 1_000, onDamage: expect.fail });
	database.exec(backTo(2));
	database.transaction(() => {
		database.run(
			`insert into ledger (at, caller, dialect, model, path, input_tokens, output_tokens, cached_tokens,
				reasoning_tokens, latency_ms, first_token_ms, status, error_kind)
			values (?, 'alice', 'chat', 'auto', 'new', 10, 5, 3, 2, 100, 20, 200, null)`,
			[ledgerRow().at],
		);
	});
	database.close();
	const store = open(file);
	expect(await store.lastRequests(5)).toEqual([{ ...ledgerRow(), id: 1 }]);
	await store.appendLedger([ledgerRow({ conversation: "c", reason: "no history" })]);
	expect(await store.conversationRows("c")).toEqual([
		{ ...ledgerRow({ conversation: "c", reason: "no history" }), id: 2 },
	]);
	expect((await store.findRows({ caller: "alice" }, 5)).total).toBe(2);
});
