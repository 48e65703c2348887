/** Why a request took its rung and not a higher one. A closed set of phrases that are shown to the owner. */
export type RungReason =
	/** parked */
	| "results of open calls"
	| "repeats an earlier request"
	/** checkpoint */
	| "stored conversation found"
	/** new */
	| "no history"
	/** rebuild, although the request brings no results */
	| "no stored conversation"
	| "the store cannot be read"
	| "the last message follows no reply"
	| "another choice of the same request"
	| LostRun;

/** Why no run takes the results that a request brings. */
export type LostRun =
	| "no run waits for these results"
	| "the run has expired"
	| "the run was ended to make room"
	| "the run was cut off"
	| "the run was stopped"
	| "another gateway took the run over"
	| "the gateway of the run is gone"
	| "the gateway of the run is stopping"
	| "the results differ from earlier ones"
	| "several runs wait for these results"
	| "some calls have no result"
	| "the model changed"
	| "the tools changed";

export const NOBODY_WAITS: LostRun = "no run waits for these results";
