import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { CensusFile } from "../../../upstream/census/census-file.ts";
import { NEWS, placeOf } from "../../../upstream/census/describe.ts";
import type { CensusRow } from "../../../upstream/census/tally.ts";
import { packageVersion } from "../../../version.ts";
import { loadHomeSettings } from "../../home-settings.ts";
import type { DriftFlags } from "../../options/health/drift.ts";
import { runCommand } from "../../process/run-command.ts";
import { type Output, type Paint, painter } from "../../terminal/output.ts";
import { printTable } from "../../terminal/table.ts";

/** `cursorwire drift`. Something new is not a failure: the exit code is 0. */
export function drift(flags: DriftFlags): Promise<void> {
	return runCommand(async () => {
		const { dataDir } = loadHomeSettings().settings;
		const rows = await new CensusFile({ dataDir, gatewayVersion: packageVersion() }).read();
		const told = { version: packageVersion(), news: rows.map(withDates) };
		if (flags.json) console.log(JSON.stringify(told));
		else printNews(process.stdout, painter(process.stdout), rows);
		if (flags.report === undefined) return;
		const file = resolve(flags.report);
		writeFileSync(file, `${JSON.stringify({ about: ABOUT, node: process.versions.node, ...told }, undefined, 2)}\n`, {
			mode: 0o600,
		});
		if (!flags.json) console.log(`\nWritten to ${file}.`);
	});
}

const ABOUT =
	"Written by `cursorwire drift --report`: fields, kinds, enum values and models that Cursor sent and this version does not know. It contains no content.";

const withDates = ({ firstSeen, lastSeen, ...row }: CensusRow) => ({
	...row,
	firstSeen: new Date(firstSeen).toISOString(),
	lastSeen: new Date(lastSeen).toISOString(),
});

function printNews(output: Output, paint: Paint, rows: readonly CensusRow[]): void {
	if (rows.length === 0) {
		output.write("Cursor has sent nothing that this version does not know.\n");
		return;
	}
	// A path that is cut to the terminal's width would be useless.
	const uncut: Output = { write: (text) => output.write(text) };
	for (const clientVersion of new Set(rows.map((row) => row.clientVersion))) {
		output.write(`As ${clientVersion}\n`);
		printTable(
			uncut,
			paint,
			["NEWS", "TIMES", "FIRST SEEN", "LAST SEEN", "WHERE"],
			rows
				.filter((row) => row.clientVersion === clientVersion)
				.map((row) => [NEWS[row.what], String(row.count), day(row.firstSeen), day(row.lastSeen), placeOf(row)]),
		);
	}
}

const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
