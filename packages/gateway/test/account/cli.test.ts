import { Command } from "commander";
import type { AccountFileInput } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { showModels } from "../../src/cli/commands/account/models.ts";
import { showUsage } from "../../src/cli/commands/account/usage.ts";
import { addModelsOptions } from "../../src/cli/options/account/models.ts";
import { addUsageOptions } from "../../src/cli/options/account/usage.ts";
import type { TodayRow } from "../../src/cli/today.ts";
import type { AccountFactsOptions } from "../../src/upstream/account/account-facts.ts";
import { accountFacts, emulator, forward, ListedTokens, Screen } from "./rig.ts";

const TODAY: TodayRow[] = [
	{ client: "opencode", model: "auto", requests: 12, failures: 1, inputTokens: 34_000, outputTokens: 560 },
];

function context(url: string, changes: Partial<AccountFactsOptions> = {}) {
	const stdout = new Screen();
	const stderr = new Screen();
	const { signal } = new AbortController();
	const facts = accountFacts(url, changes);
	const keep = async () => {};
	return { facts, now: changes.now ?? Date.now, stdout, stderr, signal, today: async () => TODAY, keep };
}

describe("cursorwire models", () => {
	it("prints a table", async () => {
		const c = context((await emulator()).url);
		expect(await showModels(c, {})).toBe(0);
		const lines = c.stdout.text.trimEnd().split("\n");
		expect(lines[0]).toMatch(/^ID +NAME +CONTEXT +THINKING +IMAGES +VARIANTS$/);
		expect(lines.find((line) => line.startsWith("claude-4.6-opus"))).toMatch(
			/^claude-4\.6-opus +Opus 4\.6 +200k \(max 1M\) +yes +yes +-thinking -low-thinking -medium-thinking -high-thinking$/,
		);
		expect(lines.find((line) => line.startsWith("grok-code"))).toMatch(/^grok-code +Grok Code +256k +no +no$/);
		expect(lines).toHaveLength(10);
		expect(c.stdout.text).not.toContain("\u001b");
	});

	it("fits a terminal and colours it", async () => {
		const c = context((await emulator()).url);
		Object.assign(c.stdout, { isTTY: true, columns: 60 });
		await showModels(c, {});
		expect(c.stdout.text.startsWith("\u001b[1mID")).toBe(true);
		// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is taken out.
		const lines = c.stdout.text.replace(/\u001b\[\d+m/g, "").split("\n");
		expect(Math.max(...lines.map((line) => [...line].length))).toBe(60);
	});

	it("prints everything as JSON", async () => {
		const c = context((await emulator()).url);
		expect(await showModels(c, { json: true })).toBe(0);
		const { models, stale, fetchedAt } = JSON.parse(c.stdout.text);
		expect(models.find(({ id }: { id: string }) => id === "gpt-5.4").variants).toHaveLength(8);
		expect(stale).toBe(false);
		expect(new Date(fetchedAt).getTime()).toBeGreaterThan(0);
	});

	it("asks again with --refresh, and says when the list is stale", async () => {
		const backend = await emulator();
		let isUp = true;
		const c = context(await forward(backend.url, () => isUp));
		await showModels(c, {});
		const asked = () => backend.requests().filter(({ path }) => path.endsWith("/AvailableModels")).length;
		await showModels(c, {});
		expect(asked()).toBe(1);
		await showModels(c, { refresh: true });
		expect(asked()).toBe(2);
		isUp = false;
		c.stdout.text = "";
		expect(await showModels(c, { refresh: true })).toBe(0);
		expect(c.stdout.text).toMatch(/\nThis list is stale: it is from \d{4}-.*Z\. Cursor's servers cannot serve/);
	});

	it("fails with one line and an exit code", async () => {
		const c = context((await emulator()).url, { tokens: new ListedTokens("bad") });
		expect(await showModels(c, {})).toBe(3);
		expect(c.stdout.text).toBe("");
		expect(c.stderr.text).toMatch(
			/^Cursor refuses the login: it was revoked, or it has ended\..* Run `cursorwire login` to sign in again\.\n$/,
		);
	});
});

describe("cursorwire usage", () => {
	const account = (usedCents: number): AccountFileInput => ({
		accounts: [
			{
				id: "user_01ADA",
				email: "ada@example.test",
				acceptAnyKey: true,
				quota: { auto: { limitCents: 5000, usedCents }, api: { limitCents: 2000, usedCents: 2000 } },
				cycleEndsInDays: 9.5,
			},
		],
	});

	it("shows both pools and the reset date", async () => {
		const c = context((await emulator({ accounts: account(2500) })).url);
		expect(await showUsage(c, {})).toBe(0);
		const [head, auto, api, reset] = c.stdout.text.split("\n");
		expect(head).toBe("Pro plan, ada@example.test");
		expect(auto).toBe(`Auto and Composer ${"█".repeat(15)}${"░".repeat(15)}   50%  $25.00 of $50.00`);
		expect(api).toBe(`Other models      ${"█".repeat(30)}  100%  $20.00 of $20.00`);
		expect(reset).toMatch(/^Resets on \d{4}-\d\d-\d\d \(in 10 days\)\.$/);
		expect(c.stdout.text).toContain(
			"\nThrough this gateway today:\nCLIENT    MODEL  REQUESTS  FAILED  TOKENS IN  OUT\nopencode  auto   12        1       34000      560\n",
		);
	});

	it("never rounds up to a limit that is not reached", async () => {
		const c = context((await emulator({ accounts: account(4999) })).url);
		await showUsage(c, {});
		expect(c.stdout.text).toContain("99.9%");
	});

	it("prints JSON", async () => {
		const c = context((await emulator({ accounts: account(0) })).url);
		await showUsage(c, { json: true });
		expect(JSON.parse(c.stdout.text)).toMatchObject({
			plan: "Pro",
			pools: [{ name: "auto" }, { name: "api" }],
			today: TODAY,
		});
	});

	it("fails with one line and an exit code", async () => {
		const c = context("http://127.0.0.1:9", { tokens: new ListedTokens("t") });
		expect(await showUsage(c, {})).toBe(4);
		expect(c.stderr.text).toMatch(/^Cursor cannot be reached\. .*\n$/);
		expect(c.stderr.text.trimEnd()).not.toContain("\n");
	});
});

it("takes the options it documents", () => {
	const models = addModelsOptions(new Command("models")).parse(["--json", "--refresh"], { from: "user" });
	expect(models.opts()).toEqual({ json: true, refresh: true });
	expect(addUsageOptions(new Command("usage")).parse([], { from: "user" }).opts()).toEqual({});
});
