import { SETTINGS, type SettingName } from "../config/setting-table.ts";
import { isChosen, type LoadedSettings } from "../config/settings.ts";
import type { Conclusion } from "./conclusion.ts";
import { redact } from "./redact.ts";
import type { Finding } from "./run-doctor.ts";

/** What goes into the file for a bug report. */
export interface ReportFacts {
	version: string;
	node: string;
	system: string;
	/** ISO 8601. */
	at: string;
	/** Undefined if they cannot be read. */
	loaded: LoadedSettings | undefined;
	findings: readonly Finding[];
	conclusion: Conclusion;
	/** Errors of the last requests, by kind, newest first; no text of any request. */
	lastErrors: readonly string[];
	home: string;
	user: string;
	host: string;
}

/** Settings whose value is a secret; a report says only whether they are set. */
export const SECRET_SETTINGS: ReadonlySet<SettingName> = new Set(["key", "apiKey", "redis"]);

/** One JSON file, redacted as a whole, so that secrets are removed from every text in it. */
export function writeReport(facts: ReportFacts): string {
	const { loaded, findings, conclusion, lastErrors, version, node, system, at } = facts;
	const report = {
		about:
			"Written by `cursorwire doctor --report`. Keys, tokens, addresses and folders are removed; read it before you send it.",
		at,
		version,
		node,
		system,
		conclusion,
		findings: findings.map(({ check, status, text, next }) => ({ check, status, text, ...(next && { next }) })),
		settings: loaded && changedSettings(loaded),
		lastErrors,
	};
	const personal = { [facts.home]: "~", [facts.user]: "(user)", [facts.host]: "(host)" };
	return `${redact(JSON.stringify(report, undefined, 2), personal)}\n`;
}

function changedSettings({ settings, sources }: LoadedSettings): Record<string, unknown> {
	const changed = (Object.keys(SETTINGS) as SettingName[]).filter((name) => isChosen(sources[name]));
	return Object.fromEntries(
		changed.map((name) => [name, { value: SECRET_SETTINGS.has(name) ? "(set)" : settings[name], from: sources[name] }]),
	);
}
