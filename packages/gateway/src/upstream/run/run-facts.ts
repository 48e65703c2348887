import type { GatewayError } from "../../turn/error.ts";
import type { EndReason } from "../../turn/event.ts";
import type { TurnRequest } from "../../turn/request.ts";
import { isUnimplemented, UpstreamFailure } from "../errors/upstream-failure.ts";
import type { ProtocolName } from "../protocols/driver.ts";
import type { ObserveTurn } from "./observe.ts";

/** Names of the places where tools and system prompts travel, as a refusal may name them. */
const PLACES: readonly [RegExp, string][] = [
	[/\b(cloud_?rule|rules?|root_prompt\w*|system.?prompt)\b/i, "system-prompt"],
	[/\b(mcp_?tools?|request_context|tool definitions?)\b/i, "tools"],
];

/** The run, as far as what it shows depends on it. */
export interface ShowingRun {
	readonly protocol: ProtocolName;
	readonly isHttp2: boolean;
}

/** Whether a request makes the model call a tool. */
export function demandsCall({ toolChoice, tools }: Pick<TurnRequest, "toolChoice" | "tools">): boolean {
	return (toolChoice.kind === "required" || toolChoice.kind === "tool") && tools.length > 0;
}

/** What a run shows of the server, told to whoever learns from it. */
export class RunFacts {
	readonly #observe: ObserveTurn | undefined;
	readonly #run: ShowingRun;
	/** `hasBegun`: something of the reply under way has come. */
	readonly #reply: { readonly hasBegun: boolean };
	readonly #demandsCall: boolean;
	#answered = false;
	#fellSilent = false;

	constructor(
		observe: ObserveTurn | undefined,
		run: ShowingRun,
		reply: { readonly hasBegun: boolean },
		demandsCall: boolean,
	) {
		this.#observe = observe;
		this.#run = run;
		this.#reply = reply;
		this.#demandsCall = demandsCall;
	}

	/** Results of tools have gone into the stream: the request that opened it must never be sent again. */
	get answered(): boolean {
		return this.#answered;
	}

	resultsGiven(): void {
		this.#answered = true;
	}

	/** A reply is complete. */
	ended(end: EndReason): void {
		const { protocol, isHttp2 } = this.#run;
		const observe = this.#observe;
		if (!observe || protocol !== "agent") return;
		observe("agent-service", "on");
		observe("client-version", "any");
		if (this.#answered && !isHttp2 && !this.#fellSilent) observe("sse-after-tool", "continues");
		if (this.#demandsCall && !this.#answered) observe("forced-call", end === "tool-calls" ? "made" : "missing");
	}

	/** Nothing came for too long, and another stream may take over. */
	fellSilent(): void {
		const { protocol, isHttp2 } = this.#run;
		const isBehindResults = protocol === "agent" && this.#answered && !this.#reply.hasBegun && !isHttp2;
		if (isBehindResults) this.#observe?.("sse-after-tool", "silent");
		this.#fellSilent = true;
	}

	/** The run failed, or its protocol was refused. */
	failed(error: GatewayError): void {
		const { cause, kind, detail = "" } = error;
		const observe = this.#observe;
		if (!observe || this.#run.protocol !== "agent" || this.#reply.hasBegun) return;
		if (!(cause instanceof UpstreamFailure)) return;
		if (kind === "context-too-long") observe("long-conversation", "refused");
		if (isUnimplemented(error)) observe("agent-service", "unimplemented");
		if (cause.errorName === "OUTDATED_CLIENT") observe("client-version", "outdated");
		if (kind !== "invalid-request") return;
		for (const [names, place] of PLACES) if (names.test(detail)) observe("refused-place", place);
	}
}
