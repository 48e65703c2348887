import type { Brain } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import type { SystemPromptChannel } from "../../src/upstream/protocols/driver.ts";
import { listen, startUpstream, user } from "../kit/upstream.ts";

/** Tells by which channels a system prompt reached the model. */
const tell: Brain = async function* (turn) {
	yield { text: JSON.stringify({ system: turn.system, rules: turn.rules }) };
};

async function ask(systemPrompt: SystemPromptChannel, mayReplace: boolean, switches: string[] = []) {
	const accounts = { accounts: [{ id: "user_1", acceptAnyKey: true, customSystemPrompt: mayReplace }] };
	const upstream = await startUpstream({ emulator: { brain: tell, accounts, switches } });
	const run = upstream.newRun({ messages: [user("?")], system: ["be brief"] }, { systemPrompt });
	const response = await listen((listener) => run.open(listener));
	return { seen: JSON.parse(response.text), runs: upstream.emulator.stats().runs.started };
}

describe("a system prompt", () => {
	it("reaches the model once", async () => {
		expect((await ask("cloud-rule", false)).seen).toEqual({ system: [], rules: ["be brief"] });
	});

	it.each([
		["cloud-rule", "cloud-rule", { system: [], rules: ["be brief"] }],
		["rules", "rules", { system: [], rules: ["be brief"] }],
		["root", "root", { system: ["be brief"], rules: [] }],
		["all", "all", { system: ["be brief"], rules: ["be brief", "be brief"] }],
	] as const)(
		"travels by %s where the setting says so, for servers that read it there",
		async (setting, channel, seen) => {
			expect((await ask(setting, false, [`system-prompt=${channel}`])).seen).toEqual(seen);
		},
	);

	it("replaces Cursor's own where the account may", async () => {
		const { seen, runs } = await ask("custom", true);
		expect(seen).toEqual({ system: ["be brief"], rules: [] });
		expect(runs).toBe(1);
	});

	it("falls back to the cloud rule where the account may not", async () => {
		const { seen, runs } = await ask("custom", false);
		expect(seen).toEqual({ system: [], rules: ["be brief"] });
		expect(runs).toBe(2);
	});
});
