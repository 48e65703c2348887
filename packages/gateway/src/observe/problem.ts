/**
 * What can be wrong while the gateway keeps running. The names are public, in `GET /healthz`; the reasons may contain
 * paths and are only in the log.
 */
export const PROBLEMS = {
	store: {
		meaning: "it keeps conversations in memory only",
		next: "Its log says what is wrong with the data folder or the Redis.",
	},
	keys: {
		meaning: "its second copy of the keys cannot be used, so clients would lose access if the database were lost",
		next: "Its log says what is wrong with gateway-keys.jsonl in the data folder.",
	},
	"conversations-lost": {
		meaning: "its database was damaged or gone in the last 24 hours, so conversations are rebuilt",
		next: "Check the disk. The damaged database is kept beside the new one, as cursorwire.db.corrupt-….",
	},
	"keys-lost": {
		meaning: "some or all of its keys were lost",
		next: "Run `cursorwire keys`, and `cursorwire connect` for each client whose key is missing.",
	},
	log: {
		meaning: "lines of its log were dropped in the last hour",
		next: "Check where its standard error goes: the disk may be full, or the program that reads it may be stuck.",
	},
} as const satisfies Record<string, { meaning: string; next: string }>;

export type ProblemName = keyof typeof PROBLEMS;

export interface Problem {
	name: ProblemName;
	reason: string;
}
