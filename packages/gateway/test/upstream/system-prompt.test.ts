import type { Brain } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { listen, startUpstream, user } from "../kit/upstream.ts";

/** Tells by which channels a system prompt reached the model. */
const tell: Brain = async function* (turn) {
	yield { text: JSON.stringify({ system: turn.system, rules: turn.rules }) };
};

async function ask(systemPrompt: "rules" | "custom" | "root", mayReplace: boolean, switches: string[] = []) {
	const accounts = { accounts: [{ id: "user_1", acceptAnyKey: true, customSystemPrompt: mayReplace }] };
	const upstream = await startUpstream({ emulator: { brain: tell, accounts, switches } });
	const run = upstream.newRun({ messages: [user("?")], system: ["be brief"] }, { systemPrompt });
	const response = await listen((listener) => run.start(listener));
	return { seen: JSON.parse(response.text), runs: upstream.emulator.stats().runs.started };
}

describe("a system prompt", () => {
	it("travels as a rule, as a cloud rule and as a root entry, whichever of them the server honours", async () => {
		expect((await ask("rules", false)).seen).toEqual({ system: ["be brief"], rules: ["be brief", "be brief"] });
		for (const channel of ["rules", "cloud-rule"]) {
			expect((await ask("rules", false, [`system-prompt=${channel}`])).seen.rules).toEqual(["be brief"]);
		}
		expect((await ask("rules", false, ["system-prompt=root"])).seen.system).toEqual(["be brief"]);
	});

	it("replaces Cursor's own where the account may", async () => {
		const { seen, runs } = await ask("custom", true);
		expect(seen).toEqual({ system: ["be brief"], rules: [] });
		expect(runs).toBe(1);
	});

	it("falls back to rules where the account may not", async () => {
		const { seen, runs } = await ask("custom", false);
		expect(seen.rules).toEqual(["be brief", "be brief"]);
		expect(runs).toBe(2);
	});
});
