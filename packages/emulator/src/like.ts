import { readFileSync } from "node:fs";
import * as z from "zod";
import { SWITCHES, type SwitchName } from "./switches.ts";

const ReportSchema = z.object({
	format: z.literal("cursorwire-calibration"),
	version: z.literal(1),
	/** By question; null if the server's answer is not known. */
	answers: z.record(z.string(), z.string().nullable()),
});

/** The switches that make the emulator answer like a server that was asked. */
export interface Likeness {
	/** As `--set` takes them. */
	settings: string[];
	/** Answers that no value of their switch stands for. */
	leftOut: string[];
}

/** Reads a report of `cursorwire calibrate --report`. Throws one line that says what is wrong with it. */
export function readLikeness(path: string): Likeness {
	const report = ReportSchema.safeParse(parse(path));
	if (!report.success) throw new Error(`--like ${path}: this is no report of \`cursorwire calibrate --report\``);
	const likeness: Likeness = { settings: [], leftOut: [] };
	for (const [name, value] of Object.entries(report.data.answers)) {
		if (value === null || !(name in SWITCHES)) continue;
		const values: readonly string[] = SWITCHES[name as SwitchName].values;
		(values.includes(value) ? likeness.settings : likeness.leftOut).push(`${name}=${value}`);
	}
	return likeness;
}

function parse(path: string): unknown {
	try {
		return JSON.parse(readFileSync(path, "utf8"));
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		throw new Error(`--like ${path}: ${code === undefined ? "this is no JSON" : `cannot be read (${code})`}`);
	}
}
