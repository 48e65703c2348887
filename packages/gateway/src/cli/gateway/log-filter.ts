import { SettingError } from "../../config/settings.ts";
import { LEVELS, type LevelName, type LogEntry } from "../../observe/log-entry.ts";

export interface LogFilterFlags {
	level?: string;
	client?: string;
	key?: string;
	model?: string;
	errors?: boolean;
	request?: string;
}

type Wanted = (entry: LogEntry) => boolean;

/** Which entries to show. Each flag that is given has to fit. */
export function logFilter({ level, client, key, model, errors, request }: LogFilterFlags): Wanted {
	const rules: Wanted[] = [];
	const least = level === undefined ? undefined : levelOf(level);
	if (least !== undefined) rules.push((entry) => entry.level >= least);
	if (client !== undefined) rules.push((entry) => entry.client === client || entry.key === client);
	if (key !== undefined) rules.push((entry) => entry.key === key);
	if (model !== undefined) rules.push((entry) => entry.model === model);
	if (errors) rules.push((entry) => entry.level >= LEVELS.warn || entry.errorKind !== undefined);
	if (request !== undefined) rules.push((entry) => entry.requestId === request);
	return (entry) => rules.every((fits) => fits(entry));
}

function levelOf(name: string): number {
	const level = LEVELS[name as LevelName] as number | undefined;
	if (level === undefined) throw new SettingError(`--level: takes ${Object.keys(LEVELS).join(", ")}, not "${name}"`);
	return level;
}
