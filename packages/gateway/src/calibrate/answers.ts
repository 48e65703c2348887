import * as z from "zod";
import { QUESTION_IDS, type QuestionId } from "./questions.ts";

/** How sure an answer is: clearly shown by probes, only suggested by them, or seen in ordinary traffic. */
const SURENESS = ["certain", "likely", "seen"] as const;
export type Sureness = (typeof SURENESS)[number];

export const AnswerSchema = z.object({
	value: z.string().max(64),
	sure: z.enum(SURENESS),
	from: z.enum(["calibrate", "traffic"]),
	/** ISO 8601. */
	at: z.iso.datetime(),
});
export type Answer = z.output<typeof AnswerSchema>;

/** An answer that a later turn contradicted. */
export const DroppedSchema = z.object({
	value: z.string().max(64),
	/** What the turn showed. */
	shown: z.string().max(200),
	at: z.iso.datetime(),
});
type Dropped = z.output<typeof DroppedSchema>;

export type Answers = Partial<Record<QuestionId, Answer>>;

/** What is known about the server of one account. */
export interface Calibration {
	clientVersion: string;
	answers: Answers;
	dropped: Partial<Record<QuestionId, Dropped>>;
}

export const noCalibration = (clientVersion: string): Calibration => ({ clientVersion, answers: {}, dropped: {} });

const KEPT_MS = 30 * 24 * 3_600_000;

/** The answers that are still valid: servers change over time, and treat client versions differently. */
export function answersInForce({ answers, ...known }: Calibration, clientVersion: string, now: number): Answers {
	if (known.clientVersion !== clientVersion) return {};
	return Object.fromEntries(
		QUESTION_IDS.flatMap((id) => {
			const answer = answers[id];
			return answer && now - Date.parse(answer.at) < KEPT_MS ? [[id, answer]] : [];
		}),
	);
}
