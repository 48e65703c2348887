import type { Settings } from "../config/settings.ts";
import { AnswerFile } from "./answer-file.ts";
import { type Answer, type Answers, answersInForce, type Calibration } from "./answers.ts";
import { type MadeChoice, makeChoices } from "./choices.ts";
import { ownAccountKey } from "./own-account.ts";

/** The answers and choices that apply to the account of this installation. */
export interface InForce {
	answers: Answers;
	dropped: Calibration["dropped"];
	choices: MadeChoice[];
}

export function inForce(settings: Settings, now: number): InForce {
	const { dataDir, upstream, clientVersion } = settings;
	const known = new AnswerFile(dataDir, upstream).read(ownAccountKey(settings));
	const isOfThisVersion = known?.clientVersion === clientVersion;
	const answers = known ? answersInForce(known, clientVersion, now) : {};
	return { answers, dropped: isOfThisVersion ? known.dropped : {}, choices: makeChoices(settings, answers) };
}

/** Where a choice comes from, in words. */
export function sourceText(source: MadeChoice["source"]): string {
	return typeof source === "string" ? source : answerSource(source);
}

export function answerSource({ from, at }: Answer): string {
	return `${from === "calibrate" ? "calibrated" : "seen in traffic"} on ${at.slice(0, 10)}`;
}

/** A choice, in words. */
export function choiceText(value: unknown): string {
	if (typeof value === "boolean") return value ? "yes" : "no";
	return value === undefined ? "as listed" : String(value);
}
