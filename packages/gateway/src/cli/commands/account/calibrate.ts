import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { openUpstreamSide } from "../../../app/upstream/open-upstream.ts";
import { AnswerFile } from "../../../calibrate/answer-file.ts";
import { answersInForce } from "../../../calibrate/answers.ts";
import { type Calibrated, calibrate as runCalibration } from "../../../calibrate/calibrate.ts";
import { makeChoices } from "../../../calibrate/choices.ts";
import type { Stage } from "../../../calibrate/evidence.ts";
import { choiceText, sourceText } from "../../../calibrate/in-force.ts";
import { keepAnswers } from "../../../calibrate/keep-answers.ts";
import { type Plan, plannedTurns, type Wishes } from "../../../calibrate/plan.ts";
import { QUESTION_IDS, QUESTIONS, type QuestionId } from "../../../calibrate/questions.ts";
import { calibrationReport } from "../../../calibrate/report.ts";
import { TURNS } from "../../../calibrate/turns.ts";
import { SettingError, type Settings } from "../../../config/settings.ts";
import { openCredentialStore } from "../../../credentials/open-account.ts";
import { GatewayError } from "../../../turn/error.ts";
import { packageVersion } from "../../../version.ts";
import { openHttpClient } from "../../gateway/http-client.ts";
import { loadHomeSettings } from "../../home-settings.ts";
import { type CalibrateFlags, WAIT_SECONDS } from "../../options/account/calibrate.ts";
import { EXIT_CODES, type Exit, exitOfKind } from "../../process/exit-codes.ts";
import { runCommand } from "../../process/run-command.ts";
import { painter } from "../../terminal/output.ts";
import { askConsent } from "../../terminal/prompt.ts";
import { printTable } from "../../terminal/table.ts";
import { startSpinner } from "../../terminal/terminal.ts";

/** `cursorwire calibrate`. */
export function calibrate(flags: CalibrateFlags): Promise<void> {
	return runCommand(async (signal) => {
		const wishes = wishesOf(flags);
		const { settings } = loadHomeSettings();
		const plan = plannedTurns(wishes);
		secondsOf(flags.wait);
		if (flags.dryRun) return flags.json ? printJson({ plan }) : console.log(announcement(plan));
		if (!flags.yes) {
			await requireLogin(settings);
			console.error(announcement(plan));
			await askConsent("Go ahead?", signal);
		}
		await calibrateNow(settings, flags, wishes, signal);
	});
}

/** Also offered by `cursorwire login` when it is done. */
export async function calibrateNow(
	settings: Settings,
	flags: CalibrateFlags,
	wishes: Wishes,
	signal: AbortSignal,
): Promise<void> {
	let stop = () => {};
	const now = Date.now();
	const { clientVersion } = settings;
	try {
		const found = await runCalibration(
			{
				settings,
				openUpstream: openUpstreamSide,
				credentials: ({ transport }) => openCredentialStore(settings, { transport }),
				waitMs: secondsOf(flags.wait) * 1000,
				starts(stage) {
					stop();
					stop = startSpinner(titleOf(stage));
					if (!process.stderr.isTTY && !flags.json) console.error(`${titleOf(stage)} …`);
				},
				signal,
			},
			wishes,
		);
		stop();
		const file = new AnswerFile(settings.dataDir, settings.upstream);
		const isKept = keepAnswers(file, found, { clientVersion, now, only: wishes.only });
		if (flags.report !== undefined) {
			const report = calibrationReport(found, { gateway: packageVersion(), clientVersion, now });
			writeFileSync(resolve(flags.report), `${JSON.stringify(report, undefined, "\t")}\n`, { mode: 0o600 });
		}
		const answers = answersInForce(
			file.read(found.account) ?? { clientVersion, answers: {}, dropped: {} },
			clientVersion,
			now,
		);
		const choices = makeChoices(settings, answers);
		if (flags.json) printJson(jsonOf(found, wishes, choices));
		else printResult(found, wishes, choices, flags);
		if (!isKept) console.error(`The answers could not be stored in ${settings.dataDir}.`);
		process.exitCode = EXIT_CODES[isKept ? exitOf(found, wishes) : "failed"].code;
	} finally {
		stop();
	}
}

/** Nobody is asked for consent to what cannot be done. */
async function requireLogin(settings: Settings): Promise<void> {
	if (settings.apiKey !== "") return;
	const transport = await openHttpClient(settings);
	try {
		const { keeper } = await openCredentialStore(settings, { transport });
		if ((await keeper.load()) === undefined) throw new GatewayError("signed-out");
	} finally {
		transport.close();
	}
}

function wishesOf({ only, all }: CalibrateFlags): Wishes {
	if (only !== undefined && !Object.hasOwn(QUESTIONS, only)) {
		throw new SettingError(`--only: "${only}" is not a question; choose ${QUESTION_IDS.join(", ")}`);
	}
	return { ...(only !== undefined && { only: only as QuestionId }), ...(all && { all }) };
}

function secondsOf(wait: string | undefined): number {
	const seconds = Number(wait ?? WAIT_SECONDS);
	if (!Number.isInteger(seconds) || seconds < 1 || seconds > 600) {
		throw new SettingError(`--wait takes a whole number of seconds from 1 to 600, not "${wait}"`);
	}
	return seconds;
}

/** What will be done, and what it costs. */
export function announcement({ turns, mostTurns, tokens }: Plan): string {
	const steps = turns.map((turn) => `  ${TURNS[turn].title}`);
	if (steps.length === 0) return "This asks no model and costs nothing: it makes a few calls that every client makes.";
	return [
		"This asks Cursor's automatic model (auto):",
		...steps,
		`At most ${mostTurns} short turns, about ${tokens.toLocaleString("en-US")} tokens besides what Cursor adds to every turn. They count as usage.`,
		...(turns.includes("parameters") ? ["Two of them go to the cheapest model that has variants."] : []),
		...(turns.includes("long-context") ? ["Two of them go to a model with a long context, which costs more."] : []),
		"They contain nothing of yours. A browser login is renewed at the same time, and kept.",
	].join("\n");
}

const titleOf = (stage: Stage) => (stage === "free" ? "calls that ask no model" : TURNS[stage].title);

const printJson = (value: object) => console.log(JSON.stringify(value));

type Choices = ReturnType<typeof makeChoices>;

const asked = ({ only }: Wishes): QuestionId[] => (only === undefined ? QUESTION_IDS : [only]);

function jsonOf({ judgements, turns, problems, hopeless }: Calibrated, wishes: Wishes, choices: Choices) {
	return {
		turns,
		answers: Object.fromEntries(asked(wishes).map((id) => [id, { ...judgements[id], changes: changeOf(id, choices) }])),
		problems: problems.map(({ stage, error }) => ({ stage, kind: error.kind, message: error.fullMessage })),
		...(hopeless !== undefined && { hopeless }),
	};
}

/** What the gateway does from now on, if the answer decides it. */
function changeOf(id: QuestionId, choices: Choices): string {
	const choice = choices.find(({ question }) => question === id);
	if (!choice) return QUESTIONS[id].changes;
	const why =
		choice.source === "setting" ? "by your setting" : choice.source === "default" ? "by default" : "from now on";
	return `${QUESTIONS[id].changes}: ${choiceText(choice.value)}, ${why}`;
}

function printResult(found: Calibrated, wishes: Wishes, choices: Choices, { report }: CalibrateFlags): void {
	const paint = painter(process.stdout);
	const rows = asked(wishes).map((id) => {
		const judged = found.judgements[id];
		if ("unknown" in judged) return [id, "–", "–", judged.unknown];
		return [id, judged.value, judged.sure, changeOf(id, choices)];
	});
	printTable(process.stdout, paint, ["QUESTION", "ANSWER", "HOW SURE", "WHAT CHANGES NOW"], rows);
	const made = choices.map(({ name, value, source }) => `${name} ${choiceText(value)} (${sourceText(source)})`);
	console.log(`\nNow used: ${made.join(", ")}.`);
	console.log(
		paint(
			"dim",
			`\n${found.turns} turns were used. The answers are kept for 30 days; \`cursorwire doctor\` shows them.`,
		),
	);
	for (const { stage, error } of found.problems) console.error(`Not settled: ${titleOf(stage)}: ${error.fullMessage}`);
	if (found.hopeless !== undefined) console.error(found.hopeless);
	if (report !== undefined) console.log(`Written to ${resolve(report)}: read it before you send it.`);
}

/** A question that this account cannot answer is not a failure; a turn that failed is. */
function exitOf({ judgements, problems, hopeless }: Calibrated, { only }: Wishes): Exit {
	if (hopeless !== undefined) return "failed";
	const [problem] = problems;
	if (problem) return exitOfKind(problem.error.kind);
	return only !== undefined && "unknown" in judgements[only] ? "failed" : "ok";
}
