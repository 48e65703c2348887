import { callerNames } from "../../access/caller-names.ts";
import { SettingError, type Settings } from "../../config/settings.ts";
import type { LedgerReads, StoredRow } from "../../store/ledger-reads.ts";
import { openStore } from "../../store/open-store.ts";
import { type Cell, csvLine } from "../../text/csv.ts";
import { cleanText } from "../../upstream/errors/clean-text.ts";
import type { UsageOptions } from "../options/account/usage.ts";
import { type Output, painter } from "../terminal/output.ts";
import { printTable } from "../terminal/table.ts";
import { ROW_COLUMNS, rowCells } from "./row-columns.ts";
import { sinceOf } from "./since.ts";
import { GROUPS, type Group, sumColumns, sumRows } from "./sum-rows.ts";

/** Rows that are held at a time. */
const PAGE_ROWS = 1_000;
/** In a table, for people. */
const MOST_LINES = 500;

/** What is exported, and in which form. */
interface Wanted {
	since: number;
	/** Undefined: the rows themselves. */
	group: Group | undefined;
	form: "csv" | "json" | "table";
}

/** Whether these options ask for an export. `--json` alone does not: it is another form of the overview. */
export const isExport = ({ since, by, csv }: UsageOptions): boolean =>
	since !== undefined || by !== undefined || csv === true;

/** Reads the options, or throws a `SettingError`. */
function wantedOf({ since, by, csv, json }: UsageOptions, now: number): Wanted {
	if (csv && json) throw new SettingError("choose one of --csv and --json");
	if (by !== undefined && !isGroup(by)) throw new SettingError(`--by: takes ${GROUPS.join(", ")}, not "${by}"`);
	const form = csv ? "csv" : json ? "json" : "table";
	// Rows do not fit into a terminal.
	const group = by ?? (form === "table" ? "day" : undefined);
	return { since: since === undefined ? 0 : sinceOf(since, now), group, form };
}

const isGroup = (text: string): text is Group => (GROUPS as readonly string[]).includes(text);

/** `cursorwire usage --since …`: from the ledger, whether a gateway runs or not. */
export async function exportUsage({ dataDir, redis, caFile }: Settings, options: UsageOptions, output: ExportOutput) {
	const wanted = wantedOf(options, Date.now());
	const store = await openStore({ dataDir, redis, caFile, warn: () => {} });
	try {
		const { degraded } = store.status();
		if (degraded !== undefined) throw new SettingError(`the ledger cannot be read: ${degraded}`);
		const nameOf = callerNames(await store.listKeys());
		const { since, group } = wanted;
		if (group === undefined) return await write(output, wanted, ROW_COLUMNS, rowsIn(store, since, nameOf));
		await write(output, wanted, sumColumns(group), await sumRows(store, group, since, nameOf));
	} finally {
		await store.close();
	}
}

export interface ExportOutput {
	/** For tables. */
	terminal: Output;
	/** Writes, and waits where the reader is slow. */
	written(text: string): Promise<void>;
}

/** Every row since a moment, newest first, read in pages. */
export async function* rowsIn(
	store: Pick<LedgerReads, "findRows">,
	since: number,
	nameOf: (caller: string) => string,
	pageRows = PAGE_ROWS,
): AsyncGenerator<Cell[], void, undefined> {
	let last: StoredRow | undefined;
	for (;;) {
		const { rows } = await store.findRows({ since, ...(last && { beforeId: last.id }) }, pageRows);
		for (const row of rows) yield rowCells(row, nameOf(row.caller));
		if (rows.length < pageRows) return;
		last = rows.at(-1);
	}
}

type Rows = AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>;

async function write(output: ExportOutput, { form }: Wanted, columns: readonly string[], rows: Rows): Promise<void> {
	await FORMS[form](output, columns, rows);
}

const FORMS = { csv: writeCsv, json: writeJson, table: writeTable } as const;

async function writeCsv(output: ExportOutput, columns: readonly string[], rows: Rows): Promise<void> {
	await output.written(csvLine(columns));
	for await (const cells of rows) await output.written(csvLine(cells));
}

/** One array, an object a line. What is not known is left out. */
async function writeJson(output: ExportOutput, columns: readonly string[], rows: Rows): Promise<void> {
	let before = "[\n";
	for await (const cells of rows) {
		const known = columns.flatMap((name, index) => (cells[index] === undefined ? [] : [[name, cells[index]]]));
		await output.written(`${before}${JSON.stringify(Object.fromEntries(known))}`);
		before = ",\n";
	}
	await output.written(before === "[\n" ? "[]\n" : "\n]\n");
}

async function writeTable({ terminal }: ExportOutput, columns: readonly string[], rows: Rows): Promise<void> {
	const lines: string[][] = [];
	for await (const cells of rows) lines.push(cells.map((cell) => cleanText(String(cell ?? ""))));
	if (lines.length === 0) return void terminal.write("This gateway has served nothing since then.\n");
	printTable(terminal, painter(terminal), columns.map(headingOf), lines.slice(0, MOST_LINES));
	const more = lines.length - MOST_LINES;
	if (more > 0) terminal.write(`and ${more} more, which --csv and --json print as well\n`);
}

const headingOf = (column: string): string => column.replaceAll("_", " ").toUpperCase();
