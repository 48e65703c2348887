import { create, toBinary } from "@bufbuild/protobuf";
import { StreamChatRequest_Role as Role, StreamChatRequestSchema } from "@cursorwire/protocol/aiserver";
import { GatewayError } from "../../../turn/error.ts";
import {
	type ImagePart,
	joinParts,
	type TextPart,
	type ThinkingPart,
	type ToolCallPart,
	type TurnMessage,
	type TurnRequest,
} from "../../../turn/request.ts";
import { offeredTools } from "../../writing/offered-tools.ts";
import type { RunPlan } from "../driver.ts";

/** What the protocol's clients name as the project; the gateway has none. */
const PROJECT_PATH = "/project";

/** The one message of a legacy chat. Throws where the request needs tools, which the protocol does not know. */
export function legacyRequest({ request, model, runId, conversationId }: RunPlan, newId: () => string): Uint8Array {
	refuseTools(request);
	const message = create(StreamChatRequestSchema, {
		messages: request.messages.map((each) => ({ content: textOf(each), role: roleOf(each), messageId: newId() })),
		instructions: { instruction: request.system.join("\n\n") },
		projectPath: PROJECT_PATH,
		model: { name: model.name },
		requestId: runId,
		conversationId,
	});
	return toBinary(StreamChatRequestSchema, message);
}

function refuseTools(request: TurnRequest): void {
	const isCalled = request.messages.some(
		({ role, content }) => role === "tool" || content.some(({ type }) => type === "tool-call"),
	);
	const { length: offered } = offeredTools(request);
	if (!isCalled && offered === 0) return;
	const other = "start the gateway with `--protocol agent` or `--protocol unified`";
	// For a schema the gateway itself offers a tool, whose arguments are the answer.
	if (!isCalled && offered === 1 && request.output.kind === "json-schema") {
		throw new GatewayError(
			"invalid-request",
			"Cursor's legacy chat protocol (StreamChat) cannot keep to a JSON schema.",
			{
				param: request.output.schemaParam,
				nextStep: `Ask for a JSON object without a schema, or ${other}.`,
			},
		);
	}
	throw new GatewayError("invalid-request", "Cursor's legacy chat protocol (StreamChat) has no tools.", {
		param: isCalled ? "messages" : "tools",
		nextStep: `Send the request without tools, or ${other}.`,
	});
}

function roleOf({ role }: TurnMessage): Role {
	return role === "user" ? Role.USER : Role.ASSISTANT;
}

function textOf({ content }: TurnMessage): string {
	return joinParts(content.map((part) => partText(part as TextPart | ImagePart | ThinkingPart | ToolCallPart)));
}

/** An image as a Markdown link, which is all that the protocol has room for. */
function partText(part: TextPart | ImagePart | ThinkingPart | ToolCallPart): string {
	if (part.type === "text") return part.text;
	if (part.type !== "image") return "";
	if (part.link) return `![image](${part.link.url})`;
	const base64 = Buffer.from(part.data.buffer, part.data.byteOffset, part.data.length).toString("base64");
	return `![image](data:${part.mediaType};base64,${base64})`;
}
