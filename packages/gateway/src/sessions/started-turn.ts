import type { Rung } from "../turn/event.ts";
import type { TurnHandle } from "../turn/listener.ts";
import type { AnsweringModel } from "../upstream/catalog/answering-model.ts";
import type { CursorRun } from "../upstream/run/run.ts";
import type { RungReason } from "./rung-reason.ts";

/** A turn that the ladder has opened. */
export interface StartedTurn {
	path: Rung;
	/** Why this rung and not a higher one. */
	reason: RungReason;
	/** The run that replies; undefined if the reply was given before. */
	run?: CursorRun;
	/** How long the run had waited for the results that this request brought. */
	waitedMs?: number;
	/** How long Cursor was asked for what has to be known before a run. */
	askedMs?: number;
	/** The conversation that the turn belongs to. */
	session: string;
	model: AnsweringModel;
	warnings: string[];
	/** The reply consists of calls that the model made before it knew the results that the request brought. */
	precedesResults: boolean;
	handle: TurnHandle;
}
