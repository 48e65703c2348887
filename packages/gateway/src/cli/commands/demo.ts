import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { configuredKey } from "../../access/configured-key.ts";
import { ensureGatewayKey, keyFileIn } from "../../access/key-file.ts";
import { KeyRing } from "../../access/key-ring.ts";
import type { GatewayDiscovery } from "../../app/discovery.ts";
import { loadSettings, missingHome } from "../../config/settings.ts";
import { MemoryStore } from "../../store/memory/memory-store.ts";
import { runCommand } from "../run-command.ts";
import { announce, curlLine, open, stopped } from "./serve.ts";

export interface DemoFlags {
	port?: string;
	json?: boolean;
	logLevel: string;
}

export function addDemoOptions(command: Command): Command {
	return command
		.description("run the gateway against the emulator, without an account")
		.option("--port <number>", "port of the gateway, 0 for any free one")
		.option("--log-level <level>", "silent, error, warn, info, debug or trace", "warn")
		.option("--json", "print one JSON line when ready");
}

/** `cursorwire demo`: gateway and emulator in one. Conversations are not kept; the key is the same as for `serve`. */
export function demo(flags: DemoFlags): Promise<void> {
	return runCommand(async () => {
		const { json, ...rest } = flags;
		const home = loadSettings(rest);
		const dataDir = mkdtempSync(join(tmpdir(), "cursorwire-demo-"));
		// A second Ctrl-C ends the program without coming back here.
		process.once("exit", () => rmSync(dataDir, { recursive: true, force: true }));
		const { startEmulator } = await import("cursorwire-emulator");
		const emulator = await startEmulator({ brain: "demo" });
		try {
			const access = await demoAccess(
				configuredKey(home.settings),
				missingHome(home) ? undefined : home.settings.dataDir,
			);
			const { settings } = loadSettings({
				...rest,
				dataDir,
				upstream: emulator.url,
				apiKey: "key_demo",
				...(access && { key: access.key, keyFile: "" }),
			});
			const gateway = await open(settings);
			const key = access?.key ?? gateway.key?.key;
			const withdraw = access?.keyFile
				? announce(home.settings.dataDir, gateway, { mode: "demo", auth: "key-file", keyFile: access.keyFile })
				: () => {};
			const ended = stopped(gateway, withdraw);
			if (json) console.log(JSON.stringify({ url: gateway.url, key, emulator: emulator.url, pid: process.pid }));
			else console.log(welcome(gateway.url, key, emulator.url));
			await ended;
		} finally {
			await emulator.close();
		}
	});
}

/** Demo and `serve` share a key, so that a client connected to one works with the other. Undefined: any key will do. */
async function demoAccess(
	configured: string,
	dataDir: string | undefined,
): Promise<(Pick<GatewayDiscovery, "keyFile"> & { key: string }) | undefined> {
	if (configured !== "") return { key: configured };
	if (dataDir === undefined) return undefined;
	const ring = new KeyRing({ store: new MemoryStore({ now: Date.now }), now: Date.now, random: randomBytes });
	const { key, problem } = await ensureGatewayKey(dataDir, ring, randomBytes);
	return { key, ...(problem === undefined && { keyFile: keyFileIn(dataDir) }) };
}

function welcome(url: string, key: string | undefined, emulator: string): string {
	return [
		`Cursorwire at ${url}, in front of an emulated Cursor at ${emulator}: no account is used.`,
		`  base URL   ${url}/v1`,
		`  key        ${key}`,
		"",
		"Try it:",
		`  ${curlLine(url, key)}`,
		"",
		"Or in your client: `cursorwire connect opencode` (codex, claude-code, cline, continue, qwen-code, aider, zed, crush)",
		"",
		"Ctrl-C stops it",
	].join("\n");
}
