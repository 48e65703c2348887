import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
	AgentClientMessageSchema,
	ConversationHistorySchema,
	type McpToolDefinition,
	type RequestContext,
	RequestContextSchema,
} from "@cursorwire/protocol/agent";
import { RunBlobs } from "../../upstream/protocols/agent/blobs.ts";
import { AgentMachine } from "../../upstream/protocols/agent/machine.ts";
import { globalRule } from "../../upstream/protocols/agent/request-context.ts";
import { prepareRun } from "../../upstream/protocols/agent/run-request.ts";
import type { Driver, RunPlan } from "../../upstream/protocols/driver.ts";

/** How the first message of a probe differs from that of an ordinary run. */
export interface ProbeShape {
	/** A text for each place of a system prompt. */
	texts?: Partial<Record<"cloud-rule" | "rules" | "root", string>>;
	/** Names of the tools that are offered in each place. */
	tools?: Partial<Record<"run-request" | "request-context", readonly string[]>>;
	/** The request context is not sent until the server asks for it. */
	withoutContext?: true;
	excludeWorkspaceContext?: true;
	/** An earlier message of the user, in the typed history (`conversation_history`). */
	history?: string;
	/** Sends a request that no server can accept. It shows which host serves the account, and reaches no model. */
	knock?: true;
}

/** A driver of the agent protocol that changes the first message. */
export function probeDriver({ channels, countUnknown }: Driver, shape: ProbeShape): Driver {
	return {
		protocol: "agent",
		channels,
		countUnknown,
		begin(plan, services) {
			const blobs = new RunBlobs(services.limits);
			const { names, tools, first, context, resume } = prepareRun(planFor(plan, shape), blobs);
			const shaped = shapedContext(context, shape);
			const parts = { names, tools, context: toBinary(RequestContextSchema, shaped), blobs, resume };
			const machine = new AgentMachine({ ...parts, parallelToolCalls: true, countUnknown, ...services });
			return { machine, first: shapedFirst(first, shaped, shape) };
		},
	};
}

function planFor(plan: RunPlan, { texts }: ProbeShape): RunPlan {
	const system = texts?.root === undefined ? [] : [texts.root];
	return { ...plan, systemPrompt: "root", toolChannel: "both", request: { ...plan.request, system } };
}

function shapedContext(bytes: Uint8Array, { texts, tools }: ProbeShape): RequestContext {
	const context = fromBinary(RequestContextSchema, bytes);
	const rules = texts?.rules === undefined ? [] : [globalRule(texts.rules)];
	const { rules: built } = create(RequestContextSchema, { rules });
	const cloudRule = texts?.["cloud-rule"];
	return {
		...context,
		rules: built,
		...(cloudRule !== undefined && { cloudRule }),
		tools: only(context.tools, tools?.["request-context"]),
	};
}

function shapedFirst(bytes: Uint8Array, context: RequestContext, shape: ProbeShape): Uint8Array {
	const message = fromBinary(AgentClientMessageSchema, bytes);
	if (message.message.case !== "runRequest") return bytes;
	const run = message.message.value;
	const action = run.action?.action;
	if (run.mcpTools) run.mcpTools.mcpTools = only(run.mcpTools.mcpTools, shape.tools?.["run-request"]);
	if (action?.case === "userMessageAction" || action?.case === "resumeAction") {
		action.value.requestContext = shape.withoutContext ? undefined : context;
	}
	if (action?.case === "userMessageAction" && shape.history !== undefined) {
		action.value.conversationHistory = create(ConversationHistorySchema, { messages: [saidBefore(shape.history)] });
	}
	if (shape.excludeWorkspaceContext) run.excludeWorkspaceContext = true;
	if (shape.knock) {
		run.conversationState = undefined;
		run.action = undefined;
	}
	return toBinary(AgentClientMessageSchema, message);
}

function saidBefore(text: string) {
	const content = [{ content: { case: "text" as const, value: { text } } }];
	return { message: { case: "user" as const, value: { content } } };
}

function only(tools: readonly McpToolDefinition[], names: readonly string[] = []): McpToolDefinition[] {
	return tools.filter(({ name }) => names.includes(name));
}
