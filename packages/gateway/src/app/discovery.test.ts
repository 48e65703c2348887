import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { announceGateway, discoveryFileIn, findGateway, type GatewayDiscovery, ownUrl } from "./discovery.ts";

function folder(): string {
	const path = mkdtempSync(join(tmpdir(), "cursorwire-discovery-"));
	onTestFinished(() => rmSync(path, { recursive: true }));
	return path;
}

const RUNNING: GatewayDiscovery = {
	url: "http://127.0.0.1:4280",
	pid: process.pid,
	version: "1.2.3",
	startedAt: "2026-11-15T10:00:00.000Z",
	mode: "serve",
	auth: "none",
};

it("is found while it runs and gone afterwards", () => {
	const dataDir = join(folder(), "data");
	const withdraw = announceGateway(dataDir, RUNNING);
	expect(statSync(discoveryFileIn(dataDir)).mode & 0o777).toBe(0o600);
	expect(findGateway(dataDir)).toEqual({ ...RUNNING, key: undefined });
	withdraw();
	expect(existsSync(discoveryFileIn(dataDir))).toBe(false);
	expect(findGateway(dataDir)).toBeUndefined();
});

it("comes with the key of its key file", () => {
	const dataDir = folder();
	const keyFile = join(dataDir, "gateway-key");
	writeFileSync(keyFile, "cw_secret\n", { mode: 0o600 });
	announceGateway(dataDir, { ...RUNNING, auth: "key-file", keyFile });
	expect(findGateway(dataDir)?.key).toBe("cw_secret");
});

it("O5: is not found when its process has died", () => {
	const dataDir = folder();
	const { pid } = spawnSync(process.execPath, ["-e", ""]);
	announceGateway(dataDir, { ...RUNNING, pid });
	expect(findGateway(dataDir)).toBeUndefined();
});

it("O5: is replaced by a later one, which the earlier one does not take back", () => {
	const dataDir = folder();
	const withdraw = announceGateway(dataDir, { ...RUNNING, pid: 1 });
	announceGateway(dataDir, RUNNING);
	withdraw();
	expect(findGateway(dataDir)?.pid).toBe(process.pid);
});

it.each<[string, (file: string) => void]>([
	["is open to others", (file) => chmodSync(file, 0o644)],
	["holds no JSON", (file) => writeFileSync(file, "{")],
	["lacks what is needed", (file) => writeFileSync(file, '{"url":"http://127.0.0.1:1"}')],
	[
		"is a link",
		(file) => {
			const target = `${file}.target`;
			writeFileSync(target, JSON.stringify(RUNNING), { mode: 0o600 });
			rmSync(file);
			symlinkSync(target, file);
		},
	],
])("counts as none where the file %s", (_, spoil) => {
	const dataDir = folder();
	announceGateway(dataDir, RUNNING);
	spoil(discoveryFileIn(dataDir));
	expect(findGateway(dataDir)).toBeUndefined();
});

it.each([
	["http://0.0.0.0:4280", "http://127.0.0.1:4280"],
	["http://[::]:4280", "http://[::1]:4280"],
	["http://127.0.0.1:4280", "http://127.0.0.1:4280"],
	["http://192.168.1.2:80", "http://192.168.1.2"],
])("%s is reached at %s", (url, own) => expect(ownUrl(url)).toBe(own));
