import type { GatewayError } from "../turn/error.ts";
import { UpstreamFailure } from "../upstream/errors/upstream-failure.ts";
import type { Fact } from "../upstream/run/observe.ts";
import type { Outcome } from "./probes/probe-run.ts";
import type { TurnId } from "./turns.ts";

/** The stage of a calibration in which a fact was seen. */
export type Stage = "free" | TurnId;

/** The two hosts that an account may have for its runs. */
export type HostName = "agent" | "agentn";

/** Everything that was observed, from which `judge` derives the answers. */
export interface Evidence {
	facts: Partial<Record<Stage, Partial<Record<Fact, string>>>>;
	outcomes: Partial<Record<TurnId, Outcome>>;
	/** The conversation of the first turn, which the second turn continues. */
	conversationId: string;
	/** Whether `exclude_workspace_context` was refused; undefined if it was not tried. */
	exclusionRefused?: boolean;
	/** True: `conversation_history` was refused. */
	historyRefused?: true;
	/** How each host responds to a request that no server can accept. */
	knocks: Partial<Record<HostName, Outcome>>;
	/** As `GetServerConfig` states it. */
	http2Config?: number;
	/** `POST` if the server has that route. */
	pollMethod?: "POST" | "GET";
	/** The refresh calls that work; undefined if there is no login to refresh. */
	refreshCalls?: string[];
	longContext?: { without: Outcome; with: Outcome | undefined };
	/** About how many tokens the filler has. */
	fillerTokens: number;
}

/** The value of a fact in the first of these stages that shows it, and how many of them show the same value. */
export function factIn(
	evidence: Evidence,
	fact: Fact,
	stages?: readonly Stage[],
): { value: string; times: number } | undefined {
	const looked = stages ?? (Object.keys(evidence.facts) as Stage[]);
	const values = looked.flatMap((stage) => evidence.facts[stage]?.[fact] ?? []);
	const [value] = values;
	return value === undefined ? undefined : { value, times: values.filter((other) => other === value).length };
}

/** The refusal as the server stated it; undefined if the error has another cause. */
export function refusalOf(error: GatewayError | undefined): UpstreamFailure | undefined {
	return error?.cause instanceof UpstreamFailure ? error.cause : undefined;
}
