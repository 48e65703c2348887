import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { startEmulator } from "cursorwire-emulator";
import { loadSettings } from "../config/settings.ts";
import { runCommand } from "./run-command.ts";
import { curlLine, open, stopped } from "./serve.ts";

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

/** `cursorwire demo`: gateway and emulator in one, on a data folder that is gone afterwards. */
export function demo(flags: DemoFlags): Promise<void> {
	return runCommand(async () => {
		const { json, ...rest } = flags;
		const dataDir = mkdtempSync(join(tmpdir(), "cursorwire-demo-"));
		const emulator = await startEmulator({ brain: "demo" });
		try {
			const { settings } = loadSettings({ ...rest, dataDir, upstream: emulator.url, apiKey: "key_demo" });
			const gateway = await open(settings);
			const key = gateway.key?.key;
			if (json) console.log(JSON.stringify({ url: gateway.url, key, emulator: emulator.url, pid: process.pid }));
			else console.log(welcome(gateway.url, key, emulator.url));
			await stopped(gateway);
		} finally {
			await emulator.close();
			rmSync(dataDir, { recursive: true, force: true });
		}
	});
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
		"Ctrl-C stops it",
	].join("\n");
}
