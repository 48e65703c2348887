// O1: the disk of the data folder is full.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import { ask, user } from "../kit/dialects/handmade-chat.ts";
import { startTestGateway } from "../kit/gateway.ts";
import { temporaryFolder } from "../kit/program.ts";

it("O1: a disk that fills up while the gateway runs is named in the health, and everyone is answered", async ({
	skip,
}) => {
	const disk = join(temporaryFolder(), "disk");
	mkdirSync(disk);
	try {
		execFileSync("mount", ["-t", "tmpfs", "-o", "size=3m,mode=700", "tmpfs", disk], { stdio: "pipe" });
	} catch {
		skip("mounting a small disk is not permitted here");
	}
	onTestFinished(() => void execFileSync("umount", ["-l", disk], { stdio: "pipe" }));
	const dataDir = join(disk, "data");
	const lines: Record<string, unknown>[] = [];
	const gateway = await startTestGateway({
		emulator: { brain: "echo" },
		settings: { dataDir },
		onLog: (entry) => lines.push(entry),
	});
	const health = async () =>
		(await gateway.fetch("/healthz")).json() as Promise<{ status: string; degraded?: string[] }>;
	expect(await health()).toMatchObject({ status: "ok", store: "sqlite" });
	try {
		writeFileSync(join(disk, "filler"), Buffer.alloc(4 << 20));
	} catch {
		// That is the purpose.
	}
	const long = "word ".repeat(20_000);
	for (let turn = 0; (await health()).status === "ok"; turn++) {
		expect(await ask(gateway, [user(`${turn} ${long}`)])).toMatchObject({ status: 200 });
	}
	expect(await health()).toMatchObject({ status: "degraded", store: "memory", degraded: ["store"] });
	for (let turn = 0; turn < 5; turn++) {
		expect(await ask(gateway, [user(`after ${turn}`)])).toMatchObject({ status: 200, text: `after ${turn}` });
	}
	// One line says it, not one a request.
	expect(lines.filter(({ msg }) => String(msg).includes("memory stands in"))).toHaveLength(1);
	await gateway.gateway.close();

	execFileSync("mount", ["-o", "remount,size=16m", disk]);
	const warnings: string[] = [];
	const store = await openStore({ dataDir, warn: (message) => warnings.push(message) });
	onTestFinished(() => store.close());
	expect(store.status()).toEqual({ mode: "sqlite" });
	expect(warnings).toEqual([]);
	expect(await store.listKeys()).toHaveLength(1);
});
