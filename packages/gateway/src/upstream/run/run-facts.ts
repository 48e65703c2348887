import type { GatewayError } from "../../turn/error.ts";
import type { EndReason } from "../../turn/event.ts";
import type { TurnRequest } from "../../turn/request.ts";
import { isUnimplemented, UpstreamFailure } from "../errors/upstream-failure.ts";
import type { ProtocolName } from "../protocols/driver.ts";
import type { ObserveTurn } from "./observe.ts";

/** The state of a run when something can be learnt from it. */
export interface RunStand {
	protocol: ProtocolName;
	isHttp2: boolean;
	/** Results of tools have gone into its stream. */
	answered: boolean;
	/** Something of the reply has come since. */
	emitted: boolean;
	/** Nothing came for too long, and another stream took over. */
	fellSilent: boolean;
	request: Pick<TurnRequest, "toolChoice" | "tools">;
}

/** A reply is complete. */
export function observeEnd(observe: ObserveTurn, stand: RunStand, end: EndReason): void {
	const { protocol, isHttp2, answered, fellSilent, request } = stand;
	if (protocol !== "agent") return;
	observe("agent-service", "on");
	observe("client-version", "any");
	if (answered && !isHttp2 && !fellSilent) observe("sse-after-tool", "continues");
	const { kind } = request.toolChoice;
	const isForced = (kind === "required" || kind === "tool") && request.tools.length > 0 && !answered;
	if (isForced) observe("forced-call", end === "tool-calls" ? "made" : "missing");
}

/** Nothing came for too long. */
export function observeSilence(observe: ObserveTurn, { protocol, isHttp2, answered, emitted }: RunStand): void {
	if (protocol === "agent" && answered && !emitted && !isHttp2) observe("sse-after-tool", "silent");
}

/** Names of the places where tools and system prompts travel, as a refusal may name them. */
const PLACES: readonly [RegExp, string][] = [
	[/\b(cloud_?rule|rules?|root_prompt\w*|system.?prompt)\b/i, "system-prompt"],
	[/\b(mcp_?tools?|request_context|tool definitions?)\b/i, "tools"],
];

/** The run failed. */
export function observeFailure(observe: ObserveTurn, { protocol, emitted }: RunStand, error: GatewayError): void {
	const { cause, kind, detail = "" } = error;
	if (protocol !== "agent" || emitted || !(cause instanceof UpstreamFailure)) return;
	if (kind === "context-too-long") observe("long-conversation", "refused");
	if (isUnimplemented(error)) observe("agent-service", "unimplemented");
	if (cause.errorName === "OUTDATED_CLIENT") observe("client-version", "outdated");
	if (kind !== "invalid-request") return;
	for (const [names, place] of PLACES) if (names.test(detail)) observe("refused-place", place);
}
