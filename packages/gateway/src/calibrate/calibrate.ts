import { randomUUID } from "node:crypto";
import type { UpstreamSide, UpstreamSideOptions } from "../app/upstream/upstream.ts";
import type { Settings } from "../config/settings.ts";
import type { CredentialStore } from "../credentials/open-account.ts";
import { systemClock } from "../time/clock.ts";
import { loadTokenEstimator } from "../tokens/token-estimate.ts";
import { type GatewayError, toGatewayError } from "../turn/error.ts";
import { DEFAULT_HEALTH_LIMITS } from "../upstream/health/health-register.ts";
import type { RunLimits } from "../upstream/run/run-limits.ts";
import type { Evidence, Stage } from "./evidence.ts";
import { type Judgement, judge } from "./judge.ts";
import { plannedTurns, type Wishes } from "./plan.ts";
import { lookAtPolling, lookAtServer, tryRefreshCalls } from "./probes/free-probes.ts";
import { isTaken } from "./probes/probe-run.ts";
import { MAKE_TURN, type TurnBench } from "./probes/probe-turns.ts";
import { FILLER } from "./probes/probe-words.ts";
import { type RecordedRun, ShapeRecorder } from "./probes/shape-recorder.ts";
import type { QuestionId } from "./questions.ts";
import type { TurnId } from "./turns.ts";

/** What calibration needs from outside. */
export interface CalibrateContext {
	settings: Settings;
	openUpstream(settings: Settings, options: UpstreamSideOptions): Promise<UpstreamSide>;
	credentials(side: UpstreamSide): Promise<CredentialStore>;
	/** A turn is given up after this much silence. */
	waitMs: number;
	/** Called when a stage begins. */
	starts(stage: Stage): void;
	signal: AbortSignal;
}

/** The outcome of a calibration. */
export interface Calibrated {
	account: string;
	judgements: Record<QuestionId, Judgement>;
	/** The number of turns made. Refused turns do not count, because no model has seen them. */
	turns: number;
	/** What went wrong, and at which stage. */
	problems: { stage: Stage; error: GatewayError }[];
	/** Why the gateway cannot work with this server; undefined if it can. */
	hopeless: string | undefined;
	runs: RecordedRun[];
}

/** Finds out whatever the server shows. Rejects only if no account is signed in or if it is cancelled. */
export async function calibrate(context: CalibrateContext, wishes: Wishes): Promise<Calibrated> {
	const { settings, signal, waitMs } = context;
	const evidence: Evidence = {
		facts: {},
		outcomes: {},
		knocks: {},
		conversationId: randomUUID(),
		fillerTokens: (await loadTokenEstimator()).count(FILLER),
	};
	const recorder = new ShapeRecorder();
	const sides = new Map<string, Promise<UpstreamSide>>();
	const problems: Calibrated["problems"] = [];
	const plan = plannedTurns(wishes);
	let spent = 0;
	const stage = (next: Stage) => {
		if (recorder.stage !== next) context.starts(next);
		recorder.stage = next;
	};
	const options: UpstreamSideOptions = {
		limits: probeLimits(waitMs),
		health: { ...DEFAULT_HEALTH_LIMITS, strikes: 1_000, window: 1_000 },
		recorder,
		observe: (_, fact, value) => {
			evidence.facts[recorder.stage] = { ...evidence.facts[recorder.stage], [fact]: value };
		},
	};
	const bench: TurnBench = {
		evidence,
		side(changes) {
			const key = JSON.stringify(changes);
			const side = sides.get(key) ?? context.openUpstream({ ...settings, ...PLAIN, ...changes }, options);
			sides.set(key, side);
			return side;
		},
		maySpend: () => spent < plan.mostTurns,
		spends: () => {
			spent += 1;
		},
		stage,
		signal,
	};
	try {
		const side = await bench.side({});
		const account = await side.ownAccount();
		context.starts("free");
		await account.facts.client.tokens.token();
		await lookAtServer(account, evidence, signal);
		const store = await context.credentials(side);
		await lookAtPolling(store.client, evidence, signal);
		if (settings.apiKey === "") await tryRefreshCalls(store, { clock: systemClock, now: Date.now }, evidence);
		for (const turn of plan.turns) {
			const isWanted = bench.maySpend() && isPossible(turn, evidence) && !isOver(problems);
			if (!isWanted) continue;
			await MAKE_TURN[turn](bench).catch((thrown) => {
				const error = toGatewayError(thrown);
				if (error.kind === "cancelled") throw error;
				problems.push({ stage: turn, error });
			});
			const error = problemOf(turn, evidence);
			if (error) problems.push({ stage: turn, error });
		}
		const judgements = judge(evidence);
		return {
			account: account.id,
			judgements,
			turns: spent,
			problems,
			hopeless: hopeless(judgements, evidence),
			runs: recorder.runs,
		};
	} finally {
		await Promise.all([...sides.values()].map(async (side) => (await side).close()));
	}
}

/** Overrides the user's settings that would make a probe cost more or test something else. */
const PLAIN: Partial<Settings> = {
	record: "",
	protocol: "agent",
	modelProtocols: {},
	modelAliases: {},
	mode: "auto",
	maxMode: false,
};

/** Turns whose refusal answers a question. */
const MAY_BE_REFUSED = new Set<TurnId>(["parameters", "flattened", "chat", "long-context"]);

/** The error of a turn, unless that error is what the turn was meant to find out. */
function problemOf(turn: TurnId, { outcomes }: Evidence): GatewayError | undefined {
	const outcome = outcomes[turn];
	if (!outcome || isTaken(outcome)) return outcome?.end === "failed" ? outcome.error : undefined;
	const isAnswer =
		(turn === "words" && outcome.end === "silent") || (MAY_BE_REFUSED.has(turn) && outcome.end === "refused");
	return isAnswer && !isFinal(outcome.error) ? undefined : outcome.error;
}

/** Nothing is retried, because a failed turn answers a question too. */
function probeLimits(waitMs: number): Partial<RunLimits> {
	return { silenceMs: waitMs, heartbeatsOnlyMs: waitMs, transportRetries: 0, serverRetries: 0 };
}

const AGENT_TURNS = new Set<TurnId>([
	"words",
	"one-place",
	"again",
	"http1",
	"parameters",
	"flattened",
	"long-context",
]);

function isPossible(turn: TurnId, evidence: Evidence): boolean {
	const { "agent-service": service, "client-version": version } = judge(evidence);
	if ("value" in version && version.value === "outdated") return false;
	return !AGENT_TURNS.has(turn) || !("value" in service) || service.value === "on";
}

/** Without a connection, a login or any quota left, further turns would fail too. */
function isOver(problems: Calibrated["problems"]): boolean {
	return isFinal(problems.at(-1)?.error);
}

const FINAL = new Set<GatewayError["kind"]>([
	"signed-out",
	"upstream-unavailable",
	"quota-exhausted",
	"account-blocked",
]);

const isFinal = (error: GatewayError | undefined) => error !== undefined && FINAL.has(error.kind);

function hopeless(judgements: Record<QuestionId, Judgement>, { outcomes }: Evidence): string | undefined {
	const value = (id: QuestionId) => {
		const judged = judgements[id];
		return "value" in judged ? judged.value : undefined;
	};
	if (value("client-version") === "outdated") {
		return "Cursor refuses this client version as too old. Set clientVersion to that of a current client, or update cursorwire.";
	}
	const isChatRefused = outcomes.chat !== undefined && value("chat-service") !== "on";
	if (value("agent-service") === "unimplemented" && isChatRefused) {
		return `The server has no agent service and refuses the unified protocol (${value("chat-service") ?? "for an unknown reason"}), so no protocol of this version works with it.`;
	}
	return undefined;
}
