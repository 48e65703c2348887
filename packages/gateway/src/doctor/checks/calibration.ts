import { choiceText, type InForce, inForce, sourceText } from "../../calibrate/in-force.ts";
import { QUESTION_IDS } from "../../calibrate/questions.ts";
import type { Check } from "../check.ts";
import { ok, type Verdict, warning } from "../verdict.ts";

function judgeCalibration({ answers, dropped, choices }: InForce): Verdict[] {
	const known = Object.values(answers);
	const calibrated = known.filter(({ from }) => from === "calibrate").length;
	const done =
		calibrated === 0
			? "not done: `cursorwire calibrate` finds out how Cursor treats your account"
			: `${known.length} of ${QUESTION_IDS.length} questions answered`;
	const made = choices.map(({ name, value, source }) => `${name} ${choiceText(value)} (${sourceText(source)})`);
	return [
		ok(`${done}; in use: ${made.join(", ")}`),
		...QUESTION_IDS.flatMap((id) => {
			const drop = dropped[id];
			if (!drop) return [];
			const text = `${id} was answered with ${drop.value}, but on ${drop.at.slice(0, 10)} a turn showed: ${drop.shown}. That answer is no longer used`;
			return [warning(text, "Run `cursorwire calibrate` to ask again.")];
		}),
	];
}

export const calibration: Check = {
	id: "calibration",
	title: "Calibration",
	after: ["config", "folder"],
	run: async (context) => judgeCalibration(inForce(context.settings(), context.now())),
};
