import { GatewayError, toGatewayError } from "../../turn/error.ts";
import type { TurnEvent } from "../../turn/event.ts";
import type { ToolResultPart, TurnRequest } from "../../turn/request.ts";
import type { RunWork } from "../../turn/told-usage.ts";
import type { CursorAccount, RunConversation, RunVariation } from "../../upstream/account/cursor-account.ts";
import { UpstreamFailure } from "../../upstream/errors/upstream-failure.ts";
import type { StoredConversation } from "../../upstream/protocols/stored-conversation.ts";
import type { CursorRun } from "../../upstream/run/run.ts";
import { TOOL_RESULT } from "./probe-words.ts";

/** The outcome of a probe. */
export interface Outcome {
	/** `refused`: the server rejected the request; `failed`: the connection was lost. */
	end: "answered" | "silent" | "refused" | "failed";
	text: string;
	/** Names of the tools that were called. */
	calls: string[];
	error: GatewayError | undefined;
	/** The conversation as the server left it. */
	stored: StoredConversation | undefined;
	/** The token counts that the server reports for the whole run. */
	work: RunWork | undefined;
}

/** Whether the model began to reply, even if the run failed afterwards. */
export function isTaken(outcome: Outcome | undefined): boolean {
	return outcome !== undefined && (outcome.end === "answered" || outcome.text !== "" || outcome.calls.length > 0);
}

/** Bounds how often results are given to a model that keeps calling tools. */
const MOST_STEPS = 4;

export interface Probe {
	request: TurnRequest;
	conversation: RunConversation;
	variation?: RunVariation;
}

/** Runs a probe to its end, with a result for every call. Rejects only if it is cancelled. */
export async function runProbe(account: CursorAccount, probe: Probe, signal: AbortSignal): Promise<Outcome> {
	const outcome: Outcome = {
		end: "answered",
		text: "",
		calls: [],
		error: undefined,
		stored: undefined,
		work: undefined,
	};
	signal.throwIfAborted();
	try {
		const { run } = await account.prepareRun(probe.request, probe.conversation, {}, probe.variation);
		await play(run, outcome, signal);
	} catch (error) {
		if (signal.aborted) throw new GatewayError("cancelled");
		outcome.error = toGatewayError(error);
		outcome.end = endOf(outcome.error);
	}
	return outcome;
}

async function play(run: CursorRun, outcome: Outcome, signal: AbortSignal): Promise<void> {
	let stop = () => {};
	const stopped = new Promise<never>((_, reject) => {
		stop = () => reject(new GatewayError("cancelled"));
	});
	signal.addEventListener("abort", stop, { once: true });
	try {
		let results = await Promise.race([stopped, respond(outcome, (listener) => run.open(listener))]);
		for (let step = 0; results.length > 0 && step < MOST_STEPS; step++) {
			if (run.phase !== "waiting") return;
			const given = results;
			results = await Promise.race([stopped, respond(outcome, (listener) => run.giveResults(given, listener))]);
		}
	} finally {
		signal.removeEventListener("abort", stop);
		if (run.phase !== "over") run.cancel();
		outcome.stored = run.stored();
	}
}

/** Takes in one reply. Resolves with results for the calls that it ends in. */
function respond(
	outcome: Outcome,
	begin: (listener: Parameters<CursorRun["open"]>[0]) => void,
): Promise<ToolResultPart[]> {
	return new Promise((resolve, reject) => {
		const results: ToolResultPart[] = [];
		const take = (event: TurnEvent) => {
			if (event.type === "text-delta") outcome.text += event.text;
			if (event.type === "told-usage") outcome.work = event.told.run ?? outcome.work;
			if (event.type !== "tool-call") return;
			outcome.calls.push(event.name);
			const content = [{ type: "text" as const, text: TOOL_RESULT }];
			results.push({ type: "tool-result", callId: event.id, content, isError: false });
		};
		begin({
			events(batch) {
				for (const event of batch) take(event);
				if (batch.at(-1)?.type === "turn-end") resolve(results);
			},
			failed: reject,
		});
	});
}

function endOf(error: GatewayError): Outcome["end"] {
	if (error.cause instanceof UpstreamFailure || error.kind === "upstream-empty") return "refused";
	const isSilence = error.kind === "upstream-timeout" || error.kind === "upstream-stalled";
	return isSilence && error.cause === undefined ? "silent" : "failed";
}
