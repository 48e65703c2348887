/**
 * What is not as it should be while the gateway goes on. The names are public, in `GET /healthz`; the reasons may hold
 * paths and stand in the log alone.
 */
export const PROBLEMS = {
	store: {
		meaning: "it keeps conversations in memory only",
		next: "Its log says what is wrong with the data folder or the Redis.",
	},
	keys: {
		meaning: "its second copy of the keys cannot be used, so a lost database would sign clients out",
		next: "Its log says what is wrong with gateway-keys.jsonl in the data folder.",
	},
	"conversations-lost": {
		meaning: "its database was damaged or gone in the last 24 hours, so conversations begin anew",
		next: "Look after the disk. A damaged database lies beside the new one, as cursorwire.db.corrupt-….",
	},
	"keys-lost": {
		meaning: "its keys were lost, or some of them",
		next: "Run `cursorwire keys`, and `cursorwire connect` for each client whose key is missing.",
	},
	log: {
		meaning: "lines of its log were dropped in the last hour",
		next: "Look at where its standard error goes: a full disk, or a program that does not read.",
	},
} as const satisfies Record<string, { meaning: string; next: string }>;

export type ProblemName = keyof typeof PROBLEMS;

export interface Problem {
	name: ProblemName;
	reason: string;
}
