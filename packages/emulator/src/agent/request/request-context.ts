import { create } from "@bufbuild/protobuf";
import { type AgentRunRequest, type RequestContext, RequestContextArgsSchema } from "@cursorwire/protocol/agent";
import type { Backend } from "../../backend.ts";
import type { AgentLink } from "../stream/link.ts";

/** The context that came with the action, or what an earlier turn of the run was told, or the client's answer. */
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
