import { create } from "@bufbuild/protobuf";
import { type AgentRunRequest, type RequestContext, RequestContextArgsSchema } from "@cursorwire/protocol/agent";
import type { Backend } from "../../backend.ts";
import type { AgentLink } from "../stream/link.ts";

/**
 * The request context: the one that came with the action, or that of an earlier turn of the run, or the client's answer
 * to an exec request for it. SDK 1.0.32 both sends it and answers the request (conformance case `context`).
 */
export async function requestContext(
	link: AgentLink,
	backend: Backend,
	carried: RequestContext | undefined,
	known: RequestContext | undefined,
): Promise<RequestContext | undefined> {
	if (known) return carried ?? known;
	const asking = backend.switches.get("request-context");
	if (asking === "never" || (carried && asking === "ask-unless-sent")) return carried;
	const answer = await link.exec({ case: "requestContextArgs", value: create(RequestContextArgsSchema) }, "");
	const last = answer.messages.at(-1);
	const result = last?.case === "requestContextResult" ? last.value.result : undefined;
	return (result?.case === "success" ? result.value.requestContext : undefined) ?? carried;
}

export function toolsSentTwice(request: AgentRunRequest, context: RequestContext | undefined): boolean {
	return (request.mcpTools?.mcpTools.length ?? 0) > 0 && (context?.tools.length ?? 0) > 0;
}
