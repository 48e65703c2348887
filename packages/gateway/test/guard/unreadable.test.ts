// The counters cannot be read: a hard limit lets nothing through, and says so to clients of every kind.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { STORE_FILE } from "../../src/store/open-store.ts";
import { ask, user } from "../kit/dialects/handmade-chat.ts";
import { startTestGateway } from "../kit/gateway.ts";
import { temporaryFolder } from "../kit/program.ts";
import { scrape } from "../observe/scrape.ts";
import { addLimit } from "./books.ts";

const REQUESTS: [path: string, body: object, error: object][] = [
	["/v1/chat/completions", { messages: [user("go")] }, { error: { type: "api_error", code: "limit_unknown" } }],
	["/v1/responses", { input: "go" }, { error: { type: "api_error", code: "limit_unknown" } }],
	["/v1/messages", { max_tokens: 9, messages: [user("go")] }, { type: "error", error: { type: "overloaded_error" } }],
];

it("503 for a hard limit, in all three dialects, and nothing reaches Cursor", async () => {
	const dataDir = temporaryFolder();
	const { id } = await addLimit({ dataDir }, "20 turns/day");
	const gateway = await startTestGateway({ emulator: { brain: "echo" }, settings: { dataDir } });
	for (const end of ["", "-wal", "-shm"]) rmSync(join(dataDir, `${STORE_FILE}${end}`), { force: true });
	for (const [path, body, error] of REQUESTS) {
		const response = await gateway.post(path, { model: "composer-1", ...body });
		const { headers } = response;
		expect([path, response.status, headers.get("retry-after"), headers.get("x-should-retry")]).toEqual([
			...[path, 503, "5", "true"],
		]);
		const answer = (await response.json()) as { error: { message: string } };
		expect(answer).toMatchObject(error);
		expect(answer.error.message).toMatch(
			/^What was spent of the limit of 20 turns\/day cannot be read: .* A hard limit lets nothing through then\. .*limits pause/,
		);
	}
	expect(gateway.emulator.stats().runs.started).toBe(0);
	const { count } = await scrape(gateway);
	expect(count("cursorwire_limit_decisions_total", { limit: id, decision: "unreadable" })).toBe(3);
});

it("what the counters said last is remembered, so a limit holds also while the store is away", async () => {
	const dataDir = temporaryFolder();
	await addLimit({ dataDir }, "2 turns/day");
	const gateway = await startTestGateway({ emulator: { brain: "echo" }, settings: { dataDir } });
	const status = async () => (await ask(gateway, [user("go")])).status;
	expect(await status()).toBe(200);
	for (const end of ["", "-wal", "-shm"]) rmSync(join(dataDir, `${STORE_FILE}${end}`), { force: true });
	expect([await status(), await status(), await status()]).toEqual([200, 402, 402]);
});

it("a limit on watch lets everything through all the same", async () => {
	const dataDir = temporaryFolder();
	await addLimit({ dataDir }, "20 turns/day watch");
	const gateway = await startTestGateway({ emulator: { brain: "echo" }, settings: { dataDir } });
	for (const end of ["", "-wal", "-shm"]) rmSync(join(dataDir, `${STORE_FILE}${end}`), { force: true });
	expect((await ask(gateway, [user("go")])).status).toBe(200);
});
