import type { Call, ToolCallPart } from "../../brains/brain.ts";
import { RpcFailure } from "../../rpc/failure.ts";

/**
 * Calls without a result, in the form of pending_tool_calls; in auto mode with the model that made them. The form is a
 * guess, because no official client shows it.
 */
export function writePendingCalls(calls: readonly ToolCallPart[], routedModel: string | undefined): string[] {
	const provider = routedModel && { providerOptions: { cursor: { modelName: routedModel } } };
	return [JSON.stringify({ role: "assistant", content: calls, ...provider })];
}

/** The calls to ask for again, from the checkpoint that a client resumes. */
export function readPendingCalls(entries: readonly string[]): Call[] {
	return entries.flatMap((entry) => {
		try {
			const { content } = JSON.parse(entry) as { content: ToolCallPart[] };
			return content
				.filter(({ type }) => type === "tool-call")
				.map(({ toolName, args }) => ({ name: toolName, arguments: args as Record<string, unknown> }));
		} catch {
			throw new RpcFailure("internal", "an entry of pending_tool_calls is not a message in JSON");
		}
	});
}
