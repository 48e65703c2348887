import { type AnswerFile, CalibrationSchema } from "./answer-file.ts";
import { type Calibration, noCalibration } from "./answers.ts";
import { QUESTION_IDS } from "./questions.ts";

/** Where gateways leave what they found out for each other. All of it may fail. */
export interface AnswerBoard {
	find(name: string): Promise<string | undefined>;
	leave(name: string, text: string): Promise<void>;
}

export interface SharedAnswersOptions {
	board: AnswerBoard;
	file: AnswerFile;
	/** What the file knows the account by. */
	account: string;
	clientVersion: string;
}

/** What one gateway has found out about an account, all gateways with this account and client version use. */
export class SharedAnswers {
	readonly #options: SharedAnswersOptions;

	constructor(options: SharedAnswersOptions) {
		this.#options = options;
	}

	/** Takes over what others know better, and leaves what they do not know. `name`: of the account, for all gateways. */
	async exchange(name: string): Promise<void> {
		const { board, file, account, clientVersion } = this.#options;
		const text = await board.find(name);
		const theirs = calibrationOf(text, clientVersion);
		const stored = file.read(account);
		const own = stored?.clientVersion === clientVersion ? stored : noCalibration(clientVersion);
		const known = merged(own, theirs);
		if (!isSame(known, own)) file.write(account, known);
		if (!isSame(known, theirs)) await board.leave(name, JSON.stringify(known));
	}
}

/** Of every question the newest answer. One that was dropped since is no answer any more. */
export function merged(one: Calibration, other: Calibration): Calibration {
	const known = noCalibration(one.clientVersion);
	for (const id of QUESTION_IDS) {
		const answer = newer(one.answers[id], other.answers[id]);
		const dropped = newer(one.dropped[id], other.dropped[id]);
		if (answer && !(dropped && dropped.at > answer.at)) known.answers[id] = answer;
		if (dropped && !(answer && answer.at > dropped.at)) known.dropped[id] = dropped;
	}
	return known;
}

function newer<T extends { at: string }>(one: T | undefined, other: T | undefined): T | undefined {
	if (!one || !other) return one ?? other;
	if (one.at !== other.at) return one.at > other.at ? one : other;
	// Whoever compares them has to come to the same result.
	return JSON.stringify(one) > JSON.stringify(other) ? one : other;
}

function calibrationOf(text: string | undefined, clientVersion: string): Calibration {
	try {
		return text === undefined ? noCalibration(clientVersion) : CalibrationSchema.parse(JSON.parse(text));
	} catch {
		return noCalibration(clientVersion);
	}
}

const isSame = (one: Calibration, other: Calibration): boolean => textOf(one) === textOf(other);

const textOf = ({ answers, dropped }: Calibration): string =>
	JSON.stringify(QUESTION_IDS.map((id) => [fieldsOf(answers[id]), fieldsOf(dropped[id])]));

const fieldsOf = (entry: object | undefined) => (entry ? Object.entries(entry).sort() : null);
