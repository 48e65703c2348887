// Keys that come with limits.
import { expect, it } from "vitest";
import { runProgram, temporaryFolder } from "../kit/program.ts";

function cursorwire() {
	const env = { CURSORWIRE_DATA_DIR: temporaryFolder() };
	return (...args: string[]) => runProgram(args, env);
}

it("a key is made with its limits, and takes them along when it is revoked", async () => {
	const run = cursorwire();
	const added = await run(
		"keys",
		"add",
		"task",
		"--limit",
		"5 turns",
		"--limit",
		"200k tokens/hour on claude-*",
		"--json",
	);
	expect(added).toMatchObject({ code: 0, err: "" });
	const { id } = JSON.parse(added.out) as { id: string };
	const { keys } = JSON.parse((await run("keys", "list", "--json")).out);
	expect(keys).toMatchObject([
		{ id, limits: { hasSpendLimits: true }, spend: ["5 turns", "200k tokens/hour on claude-*"] },
	]);
	expect((await run("keys")).out).toMatch(/SPENDS[\s\S]* any +5 turns, 200k tokens\/hour on claude-\* +valid/);
	await run("keys", "revoke", "task");
	expect(JSON.parse((await run("keys", "list", "--json")).out).keys).toMatchObject([{ id, spend: [] }]);
});

it("nothing is made with a limit that cannot be read", async () => {
	const run = cursorwire();
	const wrong = await run("keys", "add", "task", "--limit", "five turns");
	expect(wrong).toMatchObject({ code: 2, out: "" });
	expect(wrong.err).toContain('--limit: takes a limit such as "20 turns/day"');
	const metrics = await run("keys", "add", "scraper", "--metrics-only", "--limit", "5 turns");
	expect(metrics.err).toContain("--limit: a key that can only read metrics has no turns");
	expect(JSON.parse((await run("keys", "list", "--json")).out).keys).toEqual([]);
});
