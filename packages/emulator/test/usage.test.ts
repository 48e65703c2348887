import { describe, expect, it } from "vitest";
import type { Brain } from "../src/index.ts";
import { useEmulators } from "./kit/emulators.ts";
import { fetchFrom, RunClient, textResult } from "./kit/run-client.ts";

const start = useEmulators();
const TOOLS = [{ name: "look", description: "Looks at a file.", schema: { type: "object" } }];
const looksOnce: Brain = async function* () {
	yield { text: "I look first." };
	yield { calls: [{ name: "look", arguments: { path: "a.txt" } }] };
	yield { text: "There is nothing in it." };
};

/** A run with one call, and what the emulator told of it. */
async function run(usage: string) {
	const emulator = await start({ brain: looksOnce, switches: [`usage=${usage}`] });
	const client = await RunClient.connect(emulator);
	const {
		updates,
		checkpoints,
		usage: ended,
	} = await client.run({
		prompt: "What is in a.txt?",
		tools: TOOLS,
		onExec: (exec) => textResult(exec, "empty"),
	});
	const deltas = updates.flatMap((update) => (update.case === "tokenDelta" ? [update.value.tokens] : []));
	return {
		emulator,
		bill: emulator.bills()[0]!,
		running: deltas.reduce((sum, tokens) => sum + tokens, 0),
		windows: checkpoints.map(({ tokenDetails }) => tokenDetails!.usedTokens),
		ended: ended!,
	};
}

describe("what a run costs", () => {
	it("is counted step by step, tools, calls and results included", async () => {
		const { bill, ended, running, windows } = await run("told");
		const [first, second] = bill.steps;
		expect(bill.steps).toHaveLength(2);
		expect(first!.inputTokens).toBeGreaterThan(20);
		expect(first!.outputTokens).toBeGreaterThan(10);
		expect(second!.inputTokens).toBeGreaterThan(first!.inputTokens + first!.outputTokens);
		expect(ended).toEqual({ input: bill.total.inputTokens, output: bill.total.outputTokens });
		expect(running).toBe(bill.total.outputTokens);
		expect(windows[0]).toBe(second!.inputTokens);
		expect(windows.at(-1)).toBe(bill.contextTokens);
	});

	it("is told as far as the switch says, and counted all the same", async () => {
		const [told, withoutCalls, atEnd, silent] = await Promise.all(
			["told", "without-calls", "at-end", "silent"].map(run),
		);
		expect(withoutCalls!.running).toBeGreaterThan(0);
		expect(withoutCalls!.running).toBeLessThan(told!.running);
		expect(atEnd).toMatchObject({ running: 0, windows: [0, 0, 0], ended: told!.ended });
		expect(silent).toMatchObject({ running: 0, windows: [0, 0, 0], ended: { input: 0, output: 0 } });
		expect(silent!.bill.steps).toEqual(told!.bill.steps);
	});

	it("can be asked for", async () => {
		const { emulator, bill } = await run("silent");
		const { runs } = (await (await fetchFrom(emulator, "/__emulator/usage")).json()) as { runs: object[] };
		const { steps, total, contextTokens } = bill;
		expect(runs).toEqual([{ protocol: "agent", steps, total, contextTokens }]);
	});
});
