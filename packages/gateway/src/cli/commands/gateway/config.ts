import type { Answers } from "../../../calibrate/answers.ts";
import type { MadeChoice } from "../../../calibrate/choices.ts";
import { answerSource, choiceText, inForce, sourceText } from "../../../calibrate/in-force.ts";
import { QUESTION_IDS } from "../../../calibrate/questions.ts";
import { configSchema } from "../../../config/config-schema.ts";
import { readPlaces } from "../../../config/places.ts";
import { SETTINGS, type SettingName } from "../../../config/setting-table.ts";
import type { LoadedSettings, SettingSource } from "../../../config/settings.ts";
import { redact } from "../../../doctor/redact.ts";
import { SECRET_SETTINGS } from "../../../doctor/report.ts";
import { loadCommandSettings } from "../../home-settings.ts";
import type { ConfigFlags } from "../../options/gateway/config.ts";
import { runCommand } from "../../process/run-command.ts";
import { painter } from "../../terminal/output.ts";
import { printTable } from "../../terminal/table.ts";

/** A setting with its current value. */
interface EffectiveSetting {
	name: SettingName;
	value: unknown;
	/** The variable, the file, the installed program or the table that it comes from, or `default`. */
	from: string;
	about: string;
	/** The variable that sets it; undefined if only the file can. */
	variable: string | undefined;
}

/** `cursorwire config`. Of secrets it shows only that they are set. */
export function config(flags: ConfigFlags): Promise<void> {
	return runCommand(async () => {
		if (flags.schema) return console.log(JSON.stringify(configSchema(), undefined, 2));
		const loaded = loadCommandSettings();
		const rows = effectiveSettings(loaded, readPlaces().variable);
		const { answers, choices } = inForce(loaded.settings, Date.now());
		const made = choices.map(({ name, value, source }) => ({
			name,
			value: choiceText(value),
			from: sourceText(source),
		}));
		if (flags.json) return console.log(JSON.stringify({ file: loaded.file, settings: rows, choices: made, answers }));
		const paint = painter(process.stdout);
		printTable(
			process.stdout,
			paint,
			["SETTING", "FROM", "VALUE"],
			rows.map(({ name, from, value }) => [name, from, typeof value === "string" ? value : JSON.stringify(value)]),
		);
		console.log();
		printTable(
			process.stdout,
			paint,
			["WHERE SERVERS DIFFER", "FROM", "VALUE"],
			[...made.map(({ name, from, value }) => [name, from, value]), ...otherAnswers(answers, choices)],
		);
		console.log(
			paint("dim", `\nSettings can be in ${loaded.file}, in environment variables, or in flags of a command.`),
		);
	});
}

/** Answers that decide nothing on their own. */
function otherAnswers(answers: Answers, choices: readonly MadeChoice[]): string[][] {
	const decided = new Set(choices.map(({ question }) => question));
	return QUESTION_IDS.flatMap((id) => {
		const answer = answers[id];
		return answer && !decided.has(id) ? [[id, answerSource(answer), answer.value]] : [];
	});
}

function effectiveSettings(
	{ settings, sources, file }: Pick<LoadedSettings, "settings" | "sources" | "file">,
	variable: (name: string) => string,
): EffectiveSetting[] {
	return (Object.keys(SETTINGS) as SettingName[]).map((name) => {
		const { about, env } = SETTINGS[name];
		return {
			name,
			value: shown(name, settings[name]),
			from: originOf(sources[name], { variable: () => variableOf(name, variable), file }),
			about,
			variable: env[0],
		};
	});
}

function originOf(source: SettingSource, { variable, file }: { variable(): string; file: string }): string {
	const names: Partial<Record<SettingSource, () => string>> = {
		environment: variable,
		file: () => file,
		installed: () => "installed Cursor CLI",
		table: () => "table of client versions",
		pin: () => "default",
	};
	return names[source]?.() ?? source;
}

/** The one of a setting's variables that is set. */
export function variableOf(name: SettingName, variable: (name: string) => string): string {
	const { env, presence } = SETTINGS[name] as { env: readonly string[]; presence?: { env: readonly string[] } };
	return [...env, ...(presence?.env ?? [])].find((key) => variable(key) !== "") ?? "the environment";
}

function shown(name: SettingName, value: unknown): unknown {
	if (SECRET_SETTINGS.has(name)) return value === "" ? "" : "(set)";
	return typeof value === "string" ? redact(value) : value;
}
