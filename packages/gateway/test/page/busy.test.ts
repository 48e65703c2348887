// `demo --busy`: some clients at work, for a newcomer to look at.

import { join } from "node:path";
import { expect, it } from "vitest";
import { BusyClients } from "../../src/cli/busy/play.ts";
import type { LogEntry } from "../../src/observe/log-entry.ts";
import { until } from "../kit/cleanup.ts";
import { startTestGateway } from "../kit/gateway.ts";
import { runProgram, startProgram, temporaryFolder } from "../kit/program.ts";

it("plays clients of three dialects, with tools, parallel calls and errors", async () => {
	const clients = new BusyClients({ pauseMs: [0, 1], toolMs: [0, 1] });
	const turns: Record<string, unknown>[] = [];
	const rig = await startTestGateway({
		passingKeys: clients.keys,
		settings: { dataDir: temporaryFolder() },
		onLog: (entry) => entry.msg === "turn" && turns.push(entry),
	});
	const enough = new AbortController();
	const played = clients.play(rig.url, enough.signal);
	const seen = (name: string) => new Set(turns.map((turn) => turn[name]));
	const parked = () => turns.filter(({ path }) => path === "parked").length;
	await until(() => seen("errorKind").size > 1 && seen("key").size === 4 && parked() > 3);
	enough.abort();
	await played;
	expect([...seen("key")].sort()).toEqual(["aider", "claude-code", "codex", "opencode"]);
	expect([...seen("dialect")].sort()).toEqual(["chat", "messages", "responses"]);
	expect([...seen("errorKind")]).toContain("model-not-found");
	expect([...seen("model")].length).toBeGreaterThan(4);
	expect(rig.emulator.stats().runs.resumedByToolResult).toBeGreaterThan(3);
	expect(clients.keys).toHaveLength(4);
});

it("leaves no key behind, and ends with the demo", async () => {
	const home = temporaryFolder();
	const env = { HOME: home };
	const demo = startProgram(["demo", "--busy", "--port", "0"], env);
	await demo.prints(/^ {2}page {7}.*$/m);
	// They pause for some seconds between their turns.
	let entries: LogEntry[] = [];
	while (entries.length === 0) {
		const { out } = await runProgram(["logs", "--json"], env);
		entries = out.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as LogEntry]));
	}
	expect(["claude-code", "codex", "opencode", "aider"]).toContain((entries[0] as { key?: string }).key);
	const { out } = await runProgram(["keys"], env);
	expect(out).toContain(join(home, ".config/cursorwire"));
	expect(out).not.toMatch(/claude-code|codex|opencode|aider/);
	demo.child.kill("SIGTERM");
	expect((await demo.ended).code).toBe(0);
});
