import type { Settings } from "../config/settings.ts";
import { DEFAULT_CHOICES, type RunChoices } from "../upstream/run/run-choices.ts";
import type { Answer, Answers } from "./answers.ts";
import type { QuestionId } from "./questions.ts";

/** Settings that are decided by the answers if their value is `auto`. */
type ChoiceSetting = "systemPrompt" | "toolChannel" | "cacheTokens";
export type ChoiceSettings = Pick<Settings, ChoiceSetting>;

interface Choice {
	question: QuestionId;
	/** Takes precedence over the answer unless it is `auto`. */
	setting?: ChoiceSetting;
	/** What the gateway does, by answer. Answers that are not listed leave the default. */
	by: Readonly<Record<string, unknown>>;
}

/** Places of a system prompt, the one with the best evidence first. The first place that is read is used. */
const SYSTEM_PLACES = ["cloud-rule", "rules", "root"] as const;

/** The place to use, by answer. An answer names every place that is read: `cloud-rule+root`, or `all`. */
const systemPlaces = Object.fromEntries(
	subsets(SYSTEM_PLACES).map((places) => [
		places.length === SYSTEM_PLACES.length ? "all" : places.join("+"),
		places[0],
	]),
);

/** The question and the setting behind each choice, and what follows from the answer. */
const CHOICES: Readonly<Record<keyof RunChoices, Choice>> = {
	systemPrompt: { question: "system-prompt", setting: "systemPrompt", by: systemPlaces },
	toolChannel: {
		question: "tools-from",
		setting: "toolChannel",
		by: { both: "run-request", "run-request": "run-request", "request-context": "request-context" },
	},
	cacheTokens: {
		question: "cache-tokens",
		setting: "cacheTokens",
		by: { included: "included", added: "added" },
	},
	spelling: { question: "model-form", by: { parameters: "parameters", flattened: "flattened" } },
	privateHost: { question: "privacy-host", by: { agent: "agent", agentn: "agentn" } },
	waitsOverHttp1: { question: "sse-after-tool", by: { silent: false, continues: true } },
};

/** What the gateway does, and why. */
export interface MadeChoice {
	name: keyof RunChoices;
	value: unknown;
	question: QuestionId;
	source: "setting" | "default" | Answer;
}

export function makeChoices(settings: ChoiceSettings, answers: Answers): MadeChoice[] {
	return (Object.keys(CHOICES) as (keyof RunChoices)[]).map((name) => {
		const { question, setting, by } = CHOICES[name];
		const wanted = setting && settings[setting];
		if (wanted !== undefined && wanted !== "auto") return { name, question, value: wanted, source: "setting" };
		const answer = answers[question];
		if (answer && Object.hasOwn(by, answer.value)) return { name, question, value: by[answer.value], source: answer };
		return { name, question, value: DEFAULT_CHOICES[name], source: "default" };
	});
}

const made = new WeakMap<Answers, { settings: ChoiceSettings; choices: RunChoices }>();

/** The same answers, which may not be changed, lead to the same choices. */
export function runChoices(settings: ChoiceSettings, answers: Answers): RunChoices {
	const known = made.get(answers);
	if (known?.settings === settings) return known.choices;
	const choices = choicesOf(settings, answers);
	made.set(answers, { settings, choices });
	return choices;
}

function choicesOf(settings: ChoiceSettings, answers: Answers): RunChoices {
	return Object.fromEntries(
		makeChoices(settings, answers).map(({ name, value }) => [name, value]),
	) as unknown as RunChoices;
}

/** All subsets except the empty one, each in the given order. */
function subsets<T>(all: readonly T[]): T[][] {
	const [first, ...others] = all;
	if (first === undefined) return [];
	const smaller = subsets(others);
	return [[first], ...smaller.map((subset) => [first, ...subset]), ...smaller];
}
