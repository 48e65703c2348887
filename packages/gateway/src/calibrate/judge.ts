import type { GatewayError } from "../turn/error.ts";
import { WrongHost } from "../upstream/errors/host-fault.ts";
import type { Fact } from "../upstream/run/observe.ts";
import type { Sureness } from "./answers.ts";
import { type Evidence, factIn, refusalOf, type Stage } from "./evidence.ts";
import { isTaken, type Outcome } from "./probes/probe-run.ts";
import { HISTORY_WORD, PLACE_TOOLS, PLACE_WORDS } from "./probes/probe-words.ts";
import { QUESTION_IDS, type QuestionId } from "./questions.ts";

/** An answer, or the reason why there is none. */
export type Judgement = { value: string; sure: Sureness } | { unknown: string };

type Judge = (evidence: Evidence) => Judgement;

const certain = (value: string): Judgement => ({ value, sure: "certain" });
const likely = (value: string): Judgement => ({ value, sure: "likely" });
const unknown = (why: string): Judgement => ({ unknown: why });

const NOT_SEEN = "not seen yet";
const NO_TURN = "no turn could show it";

/** A fact that the frames of any turn may show. It is certain if more than one turn shows the same value. */
function shown(fact: Fact, stages?: readonly Stage[], missing = NOT_SEEN): Judge {
	return (evidence) => {
		const seen = factIn(evidence, fact, stages);
		if (!seen) return unknown(missing);
		return seen.times > 1 ? certain(seen.value) : likely(seen.value);
	};
}

const hasSaid = ({ text }: Outcome, word: string) => text.toLowerCase().includes(word);

/** The turn in which the model listed the words. */
const wordsTurn = ({ outcomes }: Evidence): Outcome | undefined =>
	[outcomes["one-place"], outcomes.words].find((outcome) => outcome && outcome.text !== "");

function systemPrompt(evidence: Evidence): Judgement {
	const outcome = wordsTurn(evidence);
	if (!outcome) return unknown(NO_TURN);
	const places = Object.entries(PLACE_WORDS).flatMap(([place, word]) => (hasSaid(outcome, word) ? [place] : []));
	if (places.length === 0) return unknown("the model named none of the words");
	const value = places.length === Object.keys(PLACE_WORDS).length ? "all" : places.join("+");
	const again = evidence.outcomes.again;
	const isConfirmed = again !== undefined && places.every((place) => hasSaid(again, wordOf(place)));
	return isConfirmed ? certain(value) : likely(value);
}

const wordOf = (place: string) => PLACE_WORDS[place as keyof typeof PLACE_WORDS];

function toolsFrom({ outcomes }: Evidence): Judgement {
	const calls = [outcomes.words, outcomes["one-place"], outcomes.again].flatMap((outcome) => outcome?.calls ?? []);
	const places = Object.entries(PLACE_TOOLS).flatMap(([place, tool]) => (calls.includes(tool) ? [place] : []));
	if (places.length === 2) return certain("both");
	if (places.length === 0) return unknown("the model called no tool");
	return likely(places[0]!);
}

/** If the model began to reply, tools in two places did not stall the run. */
function toolsTwice({ outcomes: { words, "one-place": onePlace } }: Evidence): Judgement {
	if (!words) return unknown(NO_TURN);
	if (isTaken(words)) return certain("fine");
	if (words.end !== "silent" || !isTaken(onePlace)) return unknown(NO_TURN);
	return likely("stall");
}

/** Some turns send the request context and one does not; the server may ask for it in either case. */
function requestContext(evidence: Evidence): Judgement {
	const sent = factIn(evidence, "context-asked", ["words", "one-place", "again", "http1"])?.value;
	if (sent === "yes") return certain("ask");
	const first = evidence.outcomes.parameters?.end === "answered" ? "parameters" : "flattened";
	const kept = factIn(evidence, "context-asked", [first])?.value;
	if (kept === undefined) return unknown(NO_TURN);
	return certain(kept === "yes" ? "ask-unless-sent" : "never");
}

function checkpointUsers(evidence: Evidence): Judgement {
	const { again } = evidence.outcomes;
	if (factIn(evidence, "checkpoint-users", ["again"])) return certain("placeholder");
	return again?.stored ? certain("kept") : unknown(NO_TURN);
}

function exclusion({ exclusionRefused }: Evidence): Judgement {
	if (exclusionRefused === undefined) return unknown(NO_TURN);
	return likely(exclusionRefused ? "refused" : "accepted");
}

function conversationHistory(evidence: Evidence): Judgement {
	if (evidence.historyRefused) return likely("refused");
	const outcome = wordsTurn(evidence);
	if (!outcome) return unknown(NO_TURN);
	return likely(hasSaid(outcome, HISTORY_WORD) ? "read" : "ignored");
}

/** A refusal says something about the form only if the other form worked. */
function modelForm({ outcomes: { parameters, flattened } }: Evidence): Judgement {
	if (!parameters || !flattened) return unknown("no model variant could be tried in both forms");
	const takes = [isTaken(parameters), isTaken(flattened)];
	if (takes[0] && takes[1]) return certain("both");
	const refused = takes[0] ? flattened : parameters;
	if ((takes[0] || takes[1]) && refused.end === "refused") return certain(takes[0] ? "parameters" : "flattened");
	return unknown(NO_TURN);
}

const FORM_REFUSALS: Readonly<Record<string, string>> = {
	"rate-limited": "resource-exhausted",
	"model-not-found": "not-found",
	"not-found": "not-found",
	"upstream-empty": "empty-turn",
};

function wrongModelForm(evidence: Evidence): Judgement {
	const form = modelForm(evidence);
	if ("unknown" in form) return form;
	if (form.value === "both") return unknown("both forms work");
	const refused = evidence.outcomes[form.value === "parameters" ? "flattened" : "parameters"];
	const value = FORM_REFUSALS[refused?.error?.kind ?? ""];
	return value === undefined ? unknown(`refused as ${refused?.error?.kind}`) : certain(value);
}

/** Compares the input tokens of one text sent in `root`, which may not be read, and of the same text in all places. */
function systemTwice(evidence: Evidence): Judgement {
	const { parameters, flattened } = evidence.outcomes;
	const places = systemPrompt(evidence);
	const counts = [parameters?.work?.inputTokens, flattened?.work?.inputTokens];
	if ("unknown" in places || counts[0] === undefined || counts[1] === undefined) return unknown("no counts to compare");
	const isRootRead = places.value === "all" || places.value.includes("root");
	const more = Math.round((counts[1] - counts[0]) / evidence.fillerTokens);
	return likely(more + (isRootRead ? 1 : 0) > 1 ? "yes" : "no");
}

function maxMode({ longContext }: Evidence): Judgement {
	if (!longContext) return unknown("needs --all, and a model with a long context");
	const { without, with: withMaxMode } = longContext;
	if (isTaken(without)) return certain("ignored");
	if (without.error?.kind !== "max-mode-required") return unknown(NO_TURN);
	return isTaken(withMaxMode) ? certain("required-for-long-context") : likely("required-for-long-context");
}

/** A host that refuses the request with an error of the service does serve it. */
function serves(outcome: Outcome | undefined): boolean | undefined {
	if (!outcome) return undefined;
	if (outcome.end === "answered") return true;
	if (outcome.error?.cause instanceof WrongHost) return false;
	return outcome.end === "refused" ? true : undefined;
}

function privacyHost({ knocks: { agent, agentn } }: Evidence): Judgement {
	if (!agent || !agentn) return unknown("the account has one host");
	const [one, other] = [serves(agent), serves(agentn)];
	if (one && other) return certain("any");
	if (one && other === false) return certain("agent");
	if (other && one === false) return certain("agentn");
	return unknown("the responses of the hosts were not clear");
}

const knocked = ({ knocks }: Evidence): Outcome[] => Object.values(knocks).filter((outcome) => serves(outcome));

function clientVersion(evidence: Evidence): Judgement {
	const answers = [...knocked(evidence), ...Object.values(evidence.outcomes)];
	if (answers.some(({ error }) => refusalOf(error)?.errorName === "OUTDATED_CLIENT")) return certain("outdated");
	if (answers.some(({ end }) => end === "answered")) return certain("any");
	return knocked(evidence).length > 0 ? likely("any") : unknown("no host gave a usable response");
}

function agentService(evidence: Evidence): Judgement {
	const version = clientVersion(evidence);
	if ("value" in version && version.value === "outdated") return unknown("this client version is refused");
	const { outcomes } = evidence;
	const agentTurns = [outcomes.words, outcomes["one-place"], outcomes.again, outcomes.parameters];
	if (agentTurns.some((outcome) => outcome?.end === "answered")) return certain("on");
	const answers = knocked(evidence);
	if (answers.some(({ error }) => refusalOf(error)?.code === "unimplemented")) return certain("unimplemented");
	return answers.length > 0 ? likely("on") : unknown("no host gave a usable response");
}

/** The answer by the error name in the details of a refusal, or else by its code. */
const CHAT_REFUSALS: Readonly<Record<string, string>> = {
	GPT_4_VISION_PREVIEW_RATE_LIMIT: "update-required",
	UNSUPPORTED_REGION: "unsupported-region",
	DEPRECATED: "deprecated",
	unimplemented: "unimplemented",
};

function chatService({ outcomes: { chat } }: Evidence): Judgement {
	if (!chat) return unknown(NO_TURN);
	if (isTaken(chat)) return certain("on");
	const refusal = refusalOf(chat.error);
	const value = CHAT_REFUSALS[refusal?.errorName ?? ""] ?? CHAT_REFUSALS[refusal?.code ?? ""];
	return value === undefined ? unknown(why(chat.error)) : certain(value);
}

const why = (error: GatewayError | undefined) => error?.message ?? NO_TURN;

const REFRESH_ALL = 4;

function refresh({ refreshCalls }: Evidence): Judgement {
	if (!refreshCalls) return unknown("only a browser login is renewed");
	if (refreshCalls.length === REFRESH_ALL) return certain("all");
	return certain(refreshCalls.length === 0 ? "none" : refreshCalls.join("+"));
}

function listed(evidence: Evidence): Judgement {
	const byAgent = shown("tool-requests-listed")(evidence);
	return "value" in byAgent ? byAgent : shown("chat-calls-listed")(evidence);
}

function usage(evidence: Evidence): Judgement {
	const byAgent = shown("usage")(evidence);
	if ("value" in byAgent) return byAgent;
	return factIn(evidence, "chat-usage")?.value === "silent" ? likely("silent") : byAgent;
}

const JUDGES: Readonly<Record<QuestionId, Judge>> = {
	"agent-service": agentService,
	"client-version": clientVersion,
	"http2-config": ({ http2Config }) =>
		http2Config === undefined ? unknown("no answer") : certain(String(http2Config)),
	"enveloped-unary": shown("enveloped-unary"),
	"privacy-host": privacyHost,
	refresh,
	"post-poll": ({ pollMethod }) =>
		pollMethod === undefined ? unknown("no answer") : certain(pollMethod === "POST" ? "on" : "off"),
	"system-prompt": systemPrompt,
	"tools-from": toolsFrom,
	"tools-twice": toolsTwice,
	"request-context": requestContext,
	"checkpoint-users": checkpointUsers,
	"exclude-workspace-context": exclusion,
	"conversation-history": conversationHistory,
	"sse-after-tool": shown("sse-after-tool", undefined, NO_TURN),
	"model-form": modelForm,
	"wrong-model-form": wrongModelForm,
	"system-twice": systemTwice,
	"max-mode": maxMode,
	"tool-call-order": shown("tool-call-order"),
	"tool-requests-listed": listed,
	"last-checkpoint": shown("last-checkpoint"),
	"pending-tool-calls": shown("pending-tool-calls"),
	"step-updates": shown("step-updates"),
	"long-conversation": shown("long-conversation"),
	usage,
	"cache-tokens": shown("cache-tokens"),
	"unknown-query-answer": shown("unknown-query-answer"),
	"chat-service": chatService,
	"chat-tool-calls": shown("chat-tool-calls", ["chat"]),
	"chat-arguments": shown("chat-arguments", ["chat"]),
	"chat-thinking": shown("chat-thinking", ["chat"]),
	"idempotent-stream": shown("idempotent-stream", ["chat"]),
};

export function judge(evidence: Evidence): Record<QuestionId, Judgement> {
	return Object.fromEntries(QUESTION_IDS.map((id) => [id, JUDGES[id](evidence)])) as Record<QuestionId, Judgement>;
}
