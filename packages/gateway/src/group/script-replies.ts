import type { Reply } from "../store/redis/link.ts";

/** What came of looking for a run. */
export type Claimed =
	/** The gateway that has the run has the question. `note`: what was noted of the run, if anything. */
	| { kind: "sent"; runId: string; owner: string; note: string }
	/** Its gateway is gone, and the run is this gateway's. */
	| { kind: "taken" }
	/** This gateway has it, or had it. */
	| { kind: "own" }
	/** The results were taken without it. */
	| { kind: "answered" }
	| { kind: "unknown" };

export const claimedOf = (reply: Reply): Claimed => {
	const [kind, runId = "", owner = "", note = ""] = (reply as Buffer[]).map(String);
	return { kind, runId, owner, note } as Claimed;
};

/** What a renewal of the lease tells. */
export interface Renewed {
	/** The lease had not ended, so nobody can have taken anything, and Redis has lost nothing. */
	held: boolean;
	/** Ids of runs that others have taken. */
	taken: string[];
	/** For each gateway that was asked about, whether its lease holds. */
	alive: boolean[];
}

export const renewedOf = (reply: Reply): Renewed => {
	const [held, taken, alive] = reply as [number, Buffer[], number[]];
	return { held: held === 1, taken: taken.map(String), alive: alive.map((each) => each === 1) };
};
