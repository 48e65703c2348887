import type { ToolResultPart } from "../../../turn/request.ts";
import { MessagePieces } from "./message-pieces.ts";

/**
 * The message that gives a result to a call of a client's tool. Written in one go: a text may have megabytes and stands
 * six messages deep, where the library copies it once for each of them. A tool that ran and failed is a success with an
 * error flag: the error variant can end the turn.
 */
export function mcpResult(execId: number, { content, isError }: ToolResultPart): Uint8Array {
	const success = new MessagePieces();
	for (const part of content) success.embed(1, contentOf(part));
	if (isError) success.varint(2, 1);
	// AgentClientMessage { 2 ExecClientMessage { 1 id, 11 McpResult { 1 McpSuccess } } }
	const exec = new MessagePieces();
	if (execId !== 0) exec.varint(1, execId);
	exec.embed(11, new MessagePieces().embed(1, success));
	return new MessagePieces().embed(2, exec).finish();
}

function contentOf(part: ToolResultPart["content"][number]): MessagePieces {
	if (part.type === "text") return new MessagePieces().embed(1, new MessagePieces().text(1, part.text));
	const image = new MessagePieces();
	if (part.data.length > 0) image.embed(1, part.data);
	return new MessagePieces().embed(2, image.text(2, part.mediaType));
}
