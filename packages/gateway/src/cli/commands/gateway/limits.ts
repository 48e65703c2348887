import type { Command } from "commander";
import { configuredKey } from "../../../access/configured-key.ts";
import { type FoundGateway, findGateway } from "../../../app/discovery.ts";
import { SettingError, type Settings } from "../../../config/settings.ts";
import type { LimitChange } from "../../../guard/limit-book.ts";
import { amountText, limitText } from "../../../guard/limit-text.ts";
import { PlanShare } from "../../../guard/plan-share.ts";
import { type Standing, standingsOf } from "../../../guard/standings.ts";
import { localTime } from "../../../guard/windows.ts";
import type { SpendLimit } from "../../../store/spend/spend-limit.ts";
import type { StoredKey } from "../../../store/store.ts";
import type { UsageAnswer } from "../../../usage/usage-answer.ts";
import { askGateway } from "../../gateway/gateway-command.ts";
import { limitAmount, limitTerms } from "../../limit-terms.ts";
import { painter } from "../../terminal/output.ts";
import { printTable } from "../../terminal/table.ts";
import { type Books, withBooks } from "../../with-books.ts";

interface LimitFlags {
	json?: boolean;
	key?: string;
	watch?: boolean;
	finish?: boolean;
}

const ASK_LIMIT_MS = 5_000;

/** `cursorwire limits`. What is used is read from the counters that running gateways write. */
export function listLimits(flags: LimitFlags, { args: [excess] }: Command): Promise<void> {
	return withBooks(async ({ book, ring, store, settings }) => {
		if (excess !== undefined) {
			throw new SettingError(`unknown command 'limits ${excess}'; choose list, add, raise, pause, resume or remove`);
		}
		const limits = await book.list();
		const readings = await store.poolReadings(0);
		// Only a gateway asks Cursor; this is what it has read.
		const share = PlanShare.ofReadings(readings, Date.now);
		const kept = await standingsOf(limits, { store, share, now: Date.now() });
		const demo = findGateway(settings.dataDir);
		const standings = demo?.mode === "demo" ? await standingsIn(demo, kept, settings) : kept;
		if (flags.json) return console.log(JSON.stringify({ limits: standings.map(toJson) }));
		if (limits.length === 0) {
			return console.log('No limits. `cursorwire limits add "20 turns/day"` adds one.');
		}
		const names = new Map((await ring.list()).map(({ id, name }) => [id, name]));
		printTable(
			process.stdout,
			painter(process.stdout),
			["ID", "LIMIT", "KEY", "USED", "BEGINS ANEW", "STATE"],
			standings.map((standing) => toRow(standing, names)),
		);
	});
}

/** A demo counts for itself, and its counters end with it. */
async function standingsIn(demo: FoundGateway, kept: Standing[], settings: Settings): Promise<Standing[]> {
	const key = demo.key ?? configuredKey(settings);
	const response = await askGateway({ url: demo.url, key }, "/v1/usage", AbortSignal.timeout(ASK_LIMIT_MS));
	const { limits } = (await response.json()) as UsageAnswer;
	if (kept.length > 0) console.error("Note: what is used is what the demo that runs has counted.");
	return kept.map(({ used: _, ...standing }) => {
		const used = limits.find(({ id }) => id === standing.limit.id)?.used ?? undefined;
		return { ...standing, ...(used !== undefined && { used }) };
	});
}

function toRow({ limit, text, used, resetsAt }: Standing, names: ReadonlyMap<string, string>): string[] {
	const { id, amount, unit, scope, isPaused, mode } = limit;
	const unknown = scope.perConversation ? "by conversation" : "not known";
	return [
		id,
		text,
		scope.key === undefined ? "all" : (names.get(scope.key) ?? scope.key),
		used === undefined ? unknown : `${amountText(used, unit)}${partOf(used, amount)}`,
		resetsAt === undefined ? "never" : localTime(resetsAt),
		isPaused ? "paused" : mode === "watch" ? "watches" : "in force",
	];
}

const partOf = (used: number, amount: number): string =>
	amount === 0 ? "" : ` (${Math.round((used / amount) * 100)}%)`;

const toJson = ({ limit, text, used, resetsAt }: Standing) => {
	const { changedAt: _, ...record } = limit;
	return {
		...record,
		text,
		used: used ?? null,
		resetsAt: resetsAt === undefined ? null : new Date(resetsAt).toISOString(),
	};
};

export function addLimit(words: string[], flags: LimitFlags): Promise<void> {
	return withBooks(async ({ book, ring }) => {
		const terms = limitTerms(words.join(" "), "limits add");
		if (flags.watch && flags.finish) throw new SettingError("choose one of --watch and --finish");
		const mode = flags.watch ? "watch" : flags.finish ? "finish" : terms.mode;
		const key = flags.key === undefined ? undefined : keyNamed(flags.key, await ring.list());
		const limit = await book.add({ ...terms, mode }, key?.id);
		const about = key === undefined ? "" : ` for the key ${key.name}`;
		tell(flags, limit, `Added: ${limitText(limit)}${about} (${limit.id}). A running gateway notices within a second.`);
	});
}

function keyNamed(wanted: string, keys: readonly StoredKey[]): StoredKey {
	const valid = keys.filter(({ revokedAt }) => revokedAt === undefined);
	const byName = valid.filter(({ name }) => name === wanted);
	const key = valid.find(({ id }) => id === wanted) ?? (byName.length === 1 ? byName[0] : undefined);
	if (key) return key;
	throw new SettingError(
		`--key: there is no single key with the id or name "${wanted}"; \`cursorwire keys\` lists them`,
	);
}

export function raiseLimit(id: string, amount: string, flags: LimitFlags): Promise<void> {
	return withBooks(async ({ book }) => {
		const before = await known({ book }, id);
		const limit = await changed({ book }, id, { amount: limitAmount(amount, before) });
		tell(flags, limit, `${limit.amount < before.amount ? "Lowered" : "Raised"}: ${limitText(limit)} (${id}).`);
	});
}

export function pauseLimit(id: string, flags: LimitFlags): Promise<void> {
	return withBooks(async (books) => {
		const limit = await changed(books, id, { isPaused: true });
		tell(flags, limit, `Paused: ${limitText(limit)} (${id}). It lets everything through and counts nothing.`);
	});
}

export function resumeLimit(id: string, flags: LimitFlags): Promise<void> {
	return withBooks(async (books) => {
		const limit = await changed(books, id, { isPaused: false });
		tell(flags, limit, `In force again: ${limitText(limit)} (${id}).`);
	});
}

export function removeLimit(id: string, flags: LimitFlags): Promise<void> {
	return withBooks(async ({ book }) => {
		const limit = (await book.remove(id)) ?? noSuch(id);
		tell(flags, limit, `Removed: ${limitText(limit)} (${id}).`);
	});
}

type WithBook = Pick<Books, "book">;

async function known({ book }: WithBook, id: string): Promise<SpendLimit> {
	return (await book.list()).find((limit) => limit.id === id) ?? noSuch(id);
}

async function changed({ book }: WithBook, id: string, change: LimitChange): Promise<SpendLimit> {
	return (await book.change(id, change)) ?? noSuch(id);
}

function noSuch(id: string): never {
	throw new SettingError(`there is no limit with the id "${id}"; \`cursorwire limits\` lists them`);
}

function tell({ json }: LimitFlags, limit: SpendLimit, sentence: string): void {
	const { changedAt: _, ...record } = limit;
	console.log(json ? JSON.stringify({ ...record, text: limitText(limit) }) : sentence);
}
