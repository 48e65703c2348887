import { maskSecrets } from "../text/mask-secrets.ts";

/** One line of the log, as it stands in JSON. */
export interface LogEntry {
	/** 30 for information, 40 for a warning, 50 for an error. */
	level: number;
	/** ISO 8601. */
	time: string;
	msg?: string;
	[field: string]: unknown;
}

/** The numbers that the log's lines carry, as pino has them. */
export const LEVELS = { trace: 10, debug: 20, info: 30, warn: 40, error: 50 } as const;
export type LevelName = keyof typeof LEVELS;

const LONGEST_FIELD = 4_096;

/** Fields that the gateway writes itself. Ids and sentences of its own must not be taken for keys. */
const OWN_FIELDS: readonly string[] = ["caller", "requestId", "reason", "nextStep"];

/**
 * The fields of an entry with nothing that is too long, and without keys that a client put in the wrong place. The
 * `type` of a fact is left out, because the entry's message says the same.
 */
export function tidyFields(fields: object): Record<string, unknown> {
	const named = Object.entries(fields).filter(([name]) => name !== "type");
	return Object.fromEntries(named.map(([name, value]) => [name, tidy(name, value)]));
}

function tidy(name: string, value: unknown): unknown {
	if (typeof value !== "string" || OWN_FIELDS.includes(name)) return value;
	return maskSecrets(value.length > LONGEST_FIELD ? value.slice(0, LONGEST_FIELD) : value);
}
