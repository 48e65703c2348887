import type { Calibrated } from "./calibrate.ts";
import type { RecordedRun } from "./probes/shape-recorder.ts";
import { QUESTION_IDS } from "./questions.ts";

/** What a maintainer needs to make the emulator behave like this server. It has no text, token, id or host name. */
export interface CalibrationReport {
	format: "cursorwire-calibration";
	version: 1;
	/** The version of cursorwire. */
	gateway: string;
	clientVersion: string;
	/** ISO 8601, without the time of day. */
	date: string;
	/** By question: the answer, or null if there is none. */
	answers: Record<string, string | null>;
	/** The shapes of all frames, by stream. */
	runs: RecordedRun[];
}

export interface ReportFacts {
	gateway: string;
	clientVersion: string;
	/** Milliseconds of the epoch. */
	now: number;
}

export function calibrationReport({ judgements, runs }: Calibrated, facts: ReportFacts): CalibrationReport {
	const { gateway, clientVersion, now } = facts;
	return {
		format: "cursorwire-calibration",
		version: 1,
		gateway,
		clientVersion,
		date: new Date(now).toISOString().slice(0, 10),
		answers: Object.fromEntries(
			QUESTION_IDS.map((id) => {
				const judged = judgements[id];
				return [id, "value" in judged ? judged.value : null];
			}),
		),
		runs,
	};
}
