import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configuredKey } from "../../../access/configured-key.ts";
import type { Gateway } from "../../../app/gateway.ts";
import { keptTimes } from "../../../app/limits.ts";
import type { KeyPlace } from "../../../app/open-keys.ts";
import { type LoadedSettings, loadSettings, missingHome } from "../../../config/settings.ts";
import { openStore } from "../../../store/open-store.ts";
import { loadCommandSettings } from "../../home-settings.ts";
import type { DemoFlags } from "../../options/gateway/demo.ts";
import { runCommand } from "../../process/run-command.ts";
import { announce, authOf } from "../../serving/announce.ts";
import { curlLine, pageLines } from "../../serving/banner.ts";
import { openGateway } from "../../serving/open-gateway.ts";
import { untilStopped } from "../../serving/until-stopped.ts";

/**
 * `cursorwire demo`: gateway and emulator in one. Conversations are not kept. The keys and limits are those of `serve`,
 * but what the demo spends costs nothing, so it is counted apart.
 */
export function demo(flags: DemoFlags): Promise<void> {
	return runCommand(async (interrupt) => {
		const { json, busy, logLevel = process.stderr.isTTY ? "info" : "warn", ...others } = flags;
		const rest = { ...others, logLevel };
		const home = loadCommandSettings(rest);
		const keys = await openHomeKeys(home);
		const dataDir = mkdtempSync(join(tmpdir(), "cursorwire-demo-"));
		// A second Ctrl-C ends the program without coming back here.
		process.once("exit", () => rmSync(dataDir, { recursive: true, force: true }));
		const { startEmulator } = await import("cursorwire-emulator");
		const emulator = await startEmulator({ brain: busy ? "busy" : "demo" });
		const clients = busy ? new (await import("../../busy/play.ts")).BusyClients() : undefined;
		const enough = new AbortController();
		try {
			const { settings } = loadSettings({ ...rest, dataDir, upstream: emulator.url, apiKey: "key_demo" });
			const own = { isDemo: true, ...(keys && { keys }), ...(clients && { passingKeys: clients.keys }) };
			const gateway = await openGateway(settings, own, home.settings.dataDir);
			const key = gateway.key?.key ?? configuredKey(settings);
			const withdraw = keys
				? announce(keys.dataDir, gateway, { mode: "demo", ...authOf(home.settings, gateway) })
				: () => {};
			const ended = untilStopped(gateway, interrupt, () => {
				enough.abort();
				withdraw();
			});
			if (json) console.log(JSON.stringify({ url: gateway.url, key, emulator: emulator.url, pid: process.pid }));
			else console.log(welcome(gateway, key, emulator.url));
			void clients?.play(gateway.url, enough.signal);
			await ended;
		} finally {
			await keys?.store.close();
			await emulator.close();
		}
	});
}

/** Demo and `serve` share their keys and limits, so that a client connected to one works with the other. */
async function openHomeKeys(home: LoadedSettings): Promise<KeyPlace | undefined> {
	if (missingHome(home)) return undefined;
	const { dataDir, redis, caFile } = home.settings;
	return {
		dataDir,
		store: await openStore({ dataDir, redis, caFile, kept: keptTimes(home.settings), warn: () => {} }),
	};
}

function welcome(gateway: Gateway, key: string, emulator: string): string {
	const { url } = gateway;
	return [
		`Cursorwire at ${url}, in front of an emulated Cursor at ${emulator}: no account is used.`,
		`  base URL   ${url}/v1`,
		`  key        ${key || "(none)"}`,
		...pageLines(gateway),
		"",
		"Try it:",
		`  ${curlLine(url, key)}`,
		"",
		"Or in your client: `cursorwire connect opencode` (codex, claude-code, cline, continue, qwen-code, vscode, …)",
		"",
		"Ctrl-C stops it",
	].join("\n");
}
