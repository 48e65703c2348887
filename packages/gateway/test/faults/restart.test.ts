// S7: the process is killed while conversations wait for tools. The next one goes on with all of them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulator } from "cursorwire-emulator";
import Database from "libsql";
import { expect, it, onTestFinished } from "vitest";
import type { LedgerRow } from "../../src/store/ledger-row.ts";
import { STORE_FILE } from "../../src/store/open-store.ts";
import { until } from "../kit/cleanup.ts";
import { LOOK, obedient } from "../kit/hostile/brain.ts";
import { say } from "../kit/hostile/rig.ts";
import { temporaryFolder } from "../kit/program.ts";
import { serve } from "../kit/served.ts";

const CONVERSATIONS = 20;

it("S7: twenty conversations survive a kill in the middle of their tools", async () => {
	const emulator = await startEmulator({ brain: obedient });
	onTestFinished(() => emulator.close());
	const dataDir = temporaryFolder();
	const first = await serve({ upstream: emulator.url, dataDir });
	const waiting = await Promise.all(
		Array.from({ length: CONVERSATIONS }, async (_, at) => {
			const request = say(`look at ${at}`, { tools: [LOOK], stream: false });
			const answer = await first.ask(request);
			const { message } = ((await answer.json()) as { choices: [{ message: { tool_calls: [{ id: string }] } }] })
				.choices[0];
			return { request, message, id: message.tool_calls[0].id };
		}),
	);
	expect(emulator.stats().streams.open).toBe(CONVERSATIONS);
	first.program.child.kill("SIGKILL");
	await first.program.ended;
	await until(() => emulator.stats().streams.open === 0);

	const second = await serve({ upstream: emulator.url, dataDir });
	expect(second.key).toBe(first.key);
	const answers = await Promise.all(
		waiting.map(async ({ request, message, id }, at) => {
			const result = { role: "tool", tool_call_id: id, content: `tree ${at}` };
			const answer = await second.ask({ ...request, messages: [...request.messages, message, result] });
			const body = (await answer.json()) as { choices: [{ message: { content: string } }] };
			return { path: answer.headers.get("x-cursorwire-path"), said: body.choices[0].message.content };
		}),
	);
	expect(answers.map(({ said }) => said)).toEqual(waiting.map((_, at) => `saw tree ${at}`));
	for (const { path } of answers) expect(["rebuild", "checkpoint"]).toContain(path);
	second.program.child.kill("SIGTERM");
	expect((await second.program.ended).code).toBe(0);

	expect(readFileSync(join(dataDir, "gateway-key"), "utf8").trim()).toBe(first.key);
	const database = new Database(join(dataDir, STORE_FILE));
	onTestFinished(() => void database.close());
	expect(database.pragma("integrity_check")).toEqual([{ integrity_check: "ok" }]);
	const rows = database.prepare("SELECT * FROM ledger").all() as (LedgerRow & { path: string })[];
	// What was not written yet when it was killed is lost; nothing is there twice.
	const resumed = rows.filter(({ path }) => path !== "new");
	expect(resumed).toHaveLength(CONVERSATIONS);
	expect(rows.length).toBeLessThanOrEqual(2 * CONVERSATIONS);
	expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(rows.length);
});
