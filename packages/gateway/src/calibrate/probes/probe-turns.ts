import { randomUUID } from "node:crypto";
import type { UpstreamSide } from "../../app/upstream/upstream.ts";
import type { Settings } from "../../config/settings.ts";
import { emptyRequest, type TurnRequest } from "../../turn/request.ts";
import type { RunConversation, RunVariation } from "../../upstream/account/cursor-account.ts";
import { isUnimplemented } from "../../upstream/errors/upstream-failure.ts";
import type { WireModel } from "../../upstream/protocols/driver.ts";
import type { Evidence, HostName, Stage } from "../evidence.ts";
import { judge } from "../judge.ts";
import type { TurnId } from "../turns.ts";
import { type ProbeShape, probeDriver } from "./probe-driver.ts";
import { longContextModel, variantToAskFor } from "./probe-models.ts";
import { isTaken, type Outcome, runProbe } from "./probe-run.ts";
import {
	CALL_TOOLS,
	FILLER,
	HISTORY_WORD,
	LIST_AGAIN,
	LIST_WORDS,
	PLACE_TOOLS,
	PLACE_WORDS,
	placeText,
	probeTool,
	SAY_DONE,
} from "./probe-words.ts";

/** What the probe turns need. */
export interface TurnBench {
	evidence: Evidence;
	/** The upstream with changed settings. The creator of the bench closes it. */
	side(changes: Partial<Settings>): Promise<UpstreamSide>;
	/** Whether one more turn stays within the number that was announced. */
	maySpend(): boolean;
	/** Counts a turn. */
	spends(): void;
	/** Facts that are seen from now on belong to this stage. */
	stage(stage: Stage): void;
	signal: AbortSignal;
}

interface Ask {
	turn: TurnId;
	prompt: string;
	tools?: readonly string[];
	shape?: ProbeShape;
	model?: WireModel;
	conversation?: RunConversation;
	settings?: Partial<Settings>;
	change?: Partial<TurnRequest>;
}

async function ask(bench: TurnBench, wanted: Ask): Promise<Outcome | undefined> {
	const { evidence, signal } = bench;
	if (!bench.maySpend()) return undefined;
	const request: TurnRequest = {
		...emptyRequest("auto"),
		messages: [{ role: "user", content: [{ type: "text", text: wanted.prompt }] }],
		tools: (wanted.tools ?? []).map(probeTool),
		...wanted.change,
	};
	const { shape, model } = wanted;
	const variation: RunVariation = {
		...(shape && { driver: (chosen) => probeDriver(chosen, shape) }),
		...(model && { model }),
		privateHost: servingHost(evidence),
	};
	bench.stage(wanted.turn);
	const account = await (await bench.side(wanted.settings ?? {})).ownAccount();
	const conversation = wanted.conversation ?? { conversationId: randomUUID() };
	const outcome = await runProbe(account, { request, conversation, variation }, signal);
	// A refused request did not reach the model and costs nothing.
	if (outcome.end !== "refused" || outcome.error?.kind === "upstream-empty") bench.spends();
	return outcome;
}

function servingHost(evidence: Evidence): HostName {
	const host = judge(evidence)["privacy-host"];
	return "value" in host && host.value === "agentn" ? "agentn" : "agent";
}

const ALL_WORDS = {
	"cloud-rule": placeText(PLACE_WORDS["cloud-rule"]),
	rules: placeText(PLACE_WORDS.rules),
	root: placeText(PLACE_WORDS.root),
};
const IN_REQUEST = [PLACE_TOOLS["run-request"]];
const IN_CONTEXT = [PLACE_TOOLS["request-context"]];

const isRefusedAsWrong = (outcome: Outcome | undefined) =>
	outcome?.end === "refused" && outcome.error?.kind === "invalid-request";

/** Puts a word into the typed history too, and tries again without it if that is refused. */
async function askForWords(bench: TurnBench, wanted: Ask): Promise<Outcome | undefined> {
	const first = await ask(bench, { ...wanted, shape: { ...wanted.shape, history: placeText(HISTORY_WORD) } });
	if (!isRefusedAsWrong(first)) return first;
	const second = await ask(bench, wanted);
	if (second && !isRefusedAsWrong(second)) bench.evidence.historyRefused = true;
	return second;
}

async function words(bench: TurnBench): Promise<void> {
	const { evidence } = bench;
	evidence.outcomes.words = await askForWords(bench, {
		turn: "words",
		prompt: LIST_WORDS,
		tools: [...IN_REQUEST, ...IN_CONTEXT],
		shape: { texts: ALL_WORDS, tools: { "run-request": IN_REQUEST, "request-context": IN_CONTEXT } },
		conversation: { conversationId: evidence.conversationId },
	});
}

const wasStopped = ({ outcomes: { words: first } }: Evidence) => first?.end === "silent" && !isTaken(first);

/** Made only if tools in two places made the previous turn fall silent. */
async function onePlace(bench: TurnBench): Promise<void> {
	const { evidence } = bench;
	if (!wasStopped(evidence)) return;
	evidence.conversationId = randomUUID();
	evidence.outcomes["one-place"] = await askForWords(bench, {
		turn: "one-place",
		prompt: LIST_WORDS,
		tools: IN_REQUEST,
		shape: { texts: ALL_WORDS, tools: { "run-request": IN_REQUEST } },
		conversation: { conversationId: evidence.conversationId },
	});
}

/** If the previous turn offered its tool in one place, this turn offers one in the other place. */
async function again(bench: TurnBench): Promise<void> {
	const { evidence } = bench;
	const before = evidence.outcomes["one-place"] ?? evidence.outcomes.words;
	if (!before?.stored) return;
	const tools = evidence.outcomes["one-place"] ? IN_CONTEXT : [];
	const shape: ProbeShape = { texts: ALL_WORDS, tools: { "request-context": tools } };
	const conversation = { conversationId: evidence.conversationId, stored: before.stored };
	const wanted: Ask = { turn: "again", prompt: LIST_AGAIN, tools, shape, conversation };
	const first = await ask(bench, { ...wanted, shape: { ...shape, excludeWorkspaceContext: true } });
	if (isTaken(first)) evidence.exclusionRefused = false;
	const second = isRefusedAsWrong(first) ? await ask(bench, wanted) : undefined;
	if (isTaken(second)) evidence.exclusionRefused = true;
	evidence.outcomes.again = second ?? first;
}

/** Made only if no earlier turn went over HTTP/1.1 already. */
async function http1(bench: TurnBench): Promise<void> {
	const { evidence } = bench;
	const isKnown = "value" in judge(evidence)["sse-after-tool"];
	if (isKnown) return;
	const place = judge(evidence)["tools-from"];
	const toolChannel = "value" in place && place.value === "request-context" ? "request-context" : "run-request";
	const tools = [PLACE_TOOLS[toolChannel]];
	evidence.outcomes.http1 = await ask(bench, {
		turn: "http1",
		prompt: CALL_TOOLS,
		tools,
		shape: { tools: { [toolChannel]: tools } },
		settings: { http1: true },
	});
}

const ONCE_WITHOUT_CONTEXT: ProbeShape = { texts: { root: FILLER }, withoutContext: true };
const IN_ALL_PLACES: ProbeShape = { texts: { root: FILLER, rules: FILLER, "cloud-rule": FILLER } };

/** The first form is tried without the request context, to see whether the server asks for it. */
async function variant(bench: TurnBench, form: "parameters" | "flattened"): Promise<void> {
	const isFirst = bench.evidence.outcomes.parameters?.end !== "answered";
	const shape = isFirst ? ONCE_WITHOUT_CONTEXT : IN_ALL_PLACES;
	const { facts } = await (await bench.side({})).ownAccount();
	const names = variantToAskFor((await facts.catalog.current().catch(() => undefined))?.models ?? []);
	if (!names) return;
	bench.evidence.outcomes[form] = await ask(bench, { turn: form, prompt: SAY_DONE, shape, model: names[form] });
}

/** Uses the idempotent stream, which shows more, and the usual stream if the server does not have it. */
async function chat(bench: TurnBench): Promise<void> {
	const wanted: Ask = {
		turn: "chat",
		prompt: CALL_TOOLS,
		tools: IN_REQUEST,
		change: { thinking: { effort: "high" } },
		settings: { protocol: "unified", unifiedStream: "idempotent" },
	};
	const first = await ask(bench, wanted);
	const isMissing = first?.error && (isUnimplemented(first.error) || first.end === "failed");
	const second = isMissing
		? await ask(bench, { ...wanted, settings: { protocol: "unified", unifiedStream: "auto" } })
		: undefined;
	bench.evidence.outcomes.chat = second ?? first;
}

async function longContext(bench: TurnBench): Promise<void> {
	const { facts } = await (await bench.side({})).ownAccount();
	const model = longContextModel((await facts.catalog.current().catch(() => undefined))?.models ?? []);
	if (!model) return;
	const wanted: Ask = { turn: "long-context", prompt: SAY_DONE, shape: {} };
	const without = await ask(bench, { ...wanted, model });
	if (!without) return;
	const isRefused = without.error?.kind === "max-mode-required";
	const withMaxMode = isRefused ? await ask(bench, { ...wanted, model: { ...model, maxMode: true } }) : undefined;
	bench.evidence.longContext = { without, with: withMaxMode };
}

/** The function that makes each turn. */
export const MAKE_TURN: Readonly<Record<TurnId, (bench: TurnBench) => Promise<void>>> = {
	words,
	"one-place": onePlace,
	again,
	http1,
	parameters: (bench) => variant(bench, "parameters"),
	flattened: (bench) => variant(bench, "flattened"),
	chat,
	"long-context": longContext,
};
