// The owner's key is one caller, wherever the gateway was told of it: what was kept for it is found again.
import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { KeyRing } from "../../src/access/key-ring.ts";
import { MEMORY_LIMITS } from "../../src/store/limits.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { withKeys } from "../kit/dialects/handmade-chat.ts";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";
import { temporaryFolder } from "../kit/program.ts";

async function keepResponse(gateway: TestGateway): Promise<string> {
	const response = await gateway.post("/v1/responses", { model: "composer-1", input: "hi" });
	return ((await response.json()) as { id: string }).id;
}
const statusOf = async (gateway: TestGateway, id: string) => (await gateway.fetch(`/v1/responses/${id}`)).status;

async function start(dataDir: string, key = "") {
	return startTestGateway({ emulator: { brain: "echo" }, settings: { dataDir, key } });
}
/** The gateway once more, with its key from elsewhere. */
async function again(gateway: TestGateway, key = "") {
	await gateway.gateway.close();
	const next = await start(gateway.dataDir, key);
	expect(next.key).toBe(gateway.key);
	return next;
}

describe("the owner's key", () => {
	it("is the same caller after it moved from its file to the settings, and back", async () => {
		const byFile = await start(temporaryFolder());
		const first = await keepResponse(byFile);
		const bySetting = await again(byFile, byFile.key);
		expect(await statusOf(bySetting, first)).toBe(200);
		const second = await keepResponse(bySetting);
		const back = await again(bySetting);
		for (const id of [first, second]) expect(await statusOf(back, id)).toBe(200);
	});

	it("is the same caller after it moved from the settings into its file", async () => {
		const key = `cw_${"Zr7own-key_of".repeat(3)}1234`;
		const bySetting = await start(temporaryFolder(), key);
		const id = await keepResponse(bySetting);
		writeFileSync(join(bySetting.dataDir, "gateway-key"), `${key}\n`, { mode: 0o600 });
		expect(await statusOf(await again(bySetting), id)).toBe(200);
	});

	it("keeps the limit that it was given", async () => {
		const dataDir = temporaryFolder();
		const { key } = await withKeys(dataDir, (ring) => ring.add("mine", { limits: { concurrentTurns: 1 } }));
		const gateway = await startTestGateway({
			settings: { dataDir, key },
			emulator: {
				async *brain() {
					yield { text: "one moment" };
					yield { hang: true };
				},
			},
		});
		const body = { model: "composer-1", messages: [{ role: "user", content: "hi" }], stream: true };
		expect((await gateway.post("/v1/chat/completions", body)).status).toBe(200);
		expect((await gateway.post("/v1/chat/completions", body)).status).toBe(429);
	});

	it("that was revoked and is in the settings all the same counts, and what it has waiting is not given up", async () => {
		const store = new MemoryStore({ now: Date.now, limits: MEMORY_LIMITS });
		const ringOf = (configuredKey?: string) =>
			new KeyRing({ store, now: Date.now, random: randomBytes, ...(configuredKey && { configuredKey }) });
		const { key, record } = await ringOf().add("mine");
		await ringOf().revoke(record.id);
		expect(await ringOf().find(key)).toBeUndefined();
		expect(await ringOf().newlyRevoked()).toMatchObject([{ id: record.id }]);
		expect(await ringOf(key).find(key)).toEqual(record);
		expect(await ringOf(key).newlyRevoked()).toEqual([]);
	});

	it("is another caller than another key", async () => {
		const byFile = await start(temporaryFolder());
		const id = await keepResponse(byFile);
		await byFile.gateway.close();
		rmSync(join(byFile.dataDir, "gateway-key"));
		expect(await statusOf(await start(byFile.dataDir), id)).toBe(404);
	});
});
