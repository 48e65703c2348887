import { once } from "node:events";
import type { AccountQuota, QuotaPool } from "../../../upstream/account/quota.ts";
import { cleanText } from "../../../upstream/errors/clean-text.ts";
import { type AccountCommandContext, toExitCode, withAccount } from "../../account-command.ts";
import { type ExportOutput, exportUsage, isExport } from "../../export/export-usage.ts";
import { loadHomeSettings } from "../../home-settings.ts";
import type { UsageOptions } from "../../options/account/usage.ts";
import { runCommand, unlessInterrupted } from "../../process/run-command.ts";
import { type Paint, painter } from "../../terminal/output.ts";
import { printTable } from "../../terminal/table.ts";
import { withSpinner } from "../../terminal/terminal.ts";
import { keepReadings, readToday, type TodayRow } from "../../today.ts";

const BAR_CELLS = 30;
const DAY_MS = 86_400_000;
const POOL_NAMES: Readonly<Record<QuotaPool["name"], string>> = { auto: "Auto and Composer", api: "Other models" };

/** What the command needs besides the account: what this gateway served since midnight. */
export interface UsageContext extends AccountCommandContext {
	today(): Promise<TodayRow[]>;
	/** Keeps what Cursor said, as far as the forecast on the page needs it. */
	keep(quota: AccountQuota): Promise<void>;
}

/** `cursorwire usage`. An export needs no account. */
export function usage(options: UsageOptions): Promise<void> {
	if (isExport(options)) return runCommand(() => exportUsage(loadHomeSettings().settings, options, standardOutput()));
	return withAccount((context, settings) =>
		showUsage(
			{
				...context,
				today: () => readToday(settings, Date.now()),
				keep: (quota) => keepReadings(settings, quota, Date.now()),
			},
			options,
		),
	);
}

function standardOutput(): ExportOutput {
	const { stdout } = process;
	// The program that reads from here has seen enough.
	stdout.on("error", () => process.exit());
	return {
		terminal: stdout,
		written: async (text) => void (stdout.write(text) || (await once(stdout, "drain"))),
	};
}

/** Both pools of included usage, when they reset, and what this gateway used today. */
export function showUsage(context: UsageContext, options: UsageOptions): Promise<number> {
	return toExitCode(context, async () => {
		const today = await context.today();
		const usage = await withSpinner("Asking Cursor for your usage", () =>
			unlessInterrupted(context.signal, context.facts.usage()),
		);
		// Nobody asked for it, so it is no failure if it cannot be kept.
		await context.keep(usage).catch(() => {});
		if (options.json) context.stdout.write(`${JSON.stringify({ ...usage, today }, undefined, 2)}\n`);
		else {
			print(context, usage);
			printToday(context, today);
		}
	});
}

function printToday({ stdout }: AccountCommandContext, rows: readonly TodayRow[]): void {
	if (rows.length === 0) return void stdout.write("\nThis gateway has served nothing today.\n");
	stdout.write("\nThrough this gateway today:\n");
	printTable(
		stdout,
		painter(stdout),
		["CLIENT", "MODEL", "REQUESTS", "FAILED", "TOKENS IN", "OUT"],
		rows.map(({ client, model, requests, failures, inputTokens, outputTokens }) => [
			cleanText(client),
			cleanText(model),
			...[requests, failures, inputTokens, outputTokens].map(String),
		]),
	);
}

function print({ stdout, now }: AccountCommandContext, { plan, email, pools, resetsAt }: AccountQuota): void {
	const paint = painter(stdout);
	const account = [plan && `${plan} plan`, email].filter((part) => part).join(", ");
	if (account) stdout.write(`${paint("bold", cleanText(account))}\n`);
	for (const pool of pools) stdout.write(`${poolLine(pool, paint)}\n`);
	if (pools.length === 0) stdout.write("Cursor reports no included usage for this account.\n");
	if (resetsAt) stdout.write(`${resetLine(resetsAt, now())}\n`);
}

function poolLine({ name, usedPercent, usedCents, limitCents }: QuotaPool, paint: Paint): string {
	const label = POOL_NAMES[name].padEnd(18);
	if (usedPercent === undefined) return `${label}unknown`;
	const amount =
		usedCents !== undefined && limitCents !== undefined ? `  ${dollars(usedCents)} of ${dollars(limitCents)}` : "";
	return `${label}${bar(usedPercent, paint)} ${percentText(usedPercent).padStart(5)}${amount}`;
}

function bar(percent: number, paint: Paint): string {
	const full = Math.round((percent / 100) * BAR_CELLS);
	const style = percent >= 100 ? "red" : percent >= 80 ? "yellow" : "green";
	return paint(style, "█".repeat(full)) + paint("dim", "░".repeat(BAR_CELLS - full));
}

/** Never rounded up to a limit that is not reached. */
function percentText(percent: number): string {
	return `${percent >= 100 ? 100 : Math.min(99.9, Math.round(percent * 10) / 10)}%`;
}

function dollars(cents: number): string {
	return `$${(cents / 100).toFixed(2)}`;
}

function resetLine(resetsAt: Date, now: number): string {
	const days = Math.ceil((resetsAt.getTime() - now) / DAY_MS);
	const inDays = days > 1 ? ` (in ${days} days)` : days === 1 ? " (within a day)" : "";
	return `Resets on ${resetsAt.toISOString().slice(0, 10)}${inDays}.`;
}
