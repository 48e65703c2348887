import type { GatewayError } from "../turn/error.ts";
import { UpstreamFailure } from "../upstream/errors/upstream-failure.ts";
import type { Fact } from "../upstream/run/observe.ts";
import type { Outcome } from "./probes/probe-run.ts";
import type { TurnId } from "./turns.ts";

/** Where a fact was seen. */
export type Stage = "free" | TurnId;

/** The two hosts that an account may have for its runs. */
export type HostName = "agent" | "agentn";

/** Everything that was found out, before anybody judges it. */
export interface Evidence {
	facts: Partial<Record<Stage, Partial<Record<Fact, string>>>>;
	outcomes: Partial<Record<TurnId, Outcome>>;
	/** The conversation of the first turn, which the second goes on with. */
	conversationId: string;
	/** Whether `exclude_workspace_context` was refused; undefined where it was not tried. */
	exclusionRefused?: boolean;
	/** True: `conversation_history` was refused. */
	historyRefused?: true;
	/** Who answers a request that no server can take. */
	knocks: Partial<Record<HostName, Outcome>>;
	/** GetServerConfig's word. */
	http2Config?: number;
	/** POST: the route exists. */
	pollMethod?: "POST" | "GET";
	/** The refresh calls that work; undefined where there is nothing to refresh. */
	refreshCalls?: string[];
	longContext?: { without: Outcome; with: Outcome | undefined };
	/** About how many tokens the filler has. */
	fillerTokens: number;
}

/** The first of these stages that shows a fact, and how many show the same. */
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

/** What the server said of itself when it refused. */
export function refusalOf(error: GatewayError | undefined): UpstreamFailure | undefined {
	return error?.cause instanceof UpstreamFailure ? error.cause : undefined;
}
