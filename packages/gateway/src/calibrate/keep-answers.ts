import type { AnswerFile } from "./answer-file.ts";
import { type Answers, type Calibration, noCalibration } from "./answers.ts";
import type { Calibrated } from "./calibrate.ts";
import { QUESTION_IDS, type QuestionId } from "./questions.ts";

/** Stores the answers that were found, and keeps older ones to other questions. Returns whether the write succeeded. */
export function keepAnswers(
	file: AnswerFile,
	{ account, judgements }: Calibrated,
	{ clientVersion, now, only }: { clientVersion: string; now: number; only?: QuestionId | undefined },
): boolean {
	const at = new Date(now).toISOString();
	const found: Answers = Object.fromEntries(
		QUESTION_IDS.flatMap((id) => {
			const judged = judgements[id];
			const isMeant = only === undefined || only === id;
			return isMeant && "value" in judged ? [[id, { ...judged, from: "calibrate" as const, at }]] : [];
		}),
	);
	const stored = file.read(account);
	const known = stored?.clientVersion === clientVersion ? stored : noCalibration(clientVersion);
	const dropped = Object.fromEntries(
		Object.entries(known.dropped).filter(([id]) => !(id in found)),
	) as Calibration["dropped"];
	return file.write(account, { clientVersion, answers: { ...known.answers, ...found }, dropped });
}
