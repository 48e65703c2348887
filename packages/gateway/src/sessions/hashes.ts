import { digestOf } from "../text/digest.ts";
import { jsonPieces } from "../text/json-pieces.ts";
import type { Sliced } from "../time/slices.ts";
import { comparable } from "../turn/normalize.ts";
import type { ImagePart, TextPart, ToolDefinition, ToolResultPart, TurnMessage, TurnRequest } from "../turn/request.ts";
import { rememberToolsLength } from "../turn/tools-length.ts";

type Part = string | Uint8Array | Iterable<string>;

function* sha256(parts: Iterable<Part>): Sliced<string> {
	return (yield* digestOf(parts)).toString("base64url");
}

/** Not the form of a hash, so it equals none. */
export const NO_DEMANDS = "no tools";

/** Hashes of tool lists, because a request needs the same hash several times. */
const hashed = new WeakMap<readonly ToolDefinition[], Pick<TurnRequest, "toolChoice" | "output"> & { hash: string }>();

/**
 * Equal when two requests offer the same tools, in any order, and make the same demands on the reply. A run cannot be
 * told of changed demands, so a run that was told to call a tool must not continue for a request without that demand.
 */
export function* toolSetHash({ tools, toolChoice, output }: TurnRequest): Sliced<string> {
	if (makesNoDemands(tools, toolChoice, output)) return NO_DEMANDS;
	const known = hashed.get(tools);
	if (known?.toolChoice === toolChoice && known.output === output) return known.hash;
	const each: string[] = [];
	let characters = 0;
	for (const { name, description, inputSchema, kind } of tools) {
		const text = [...jsonPieces([name, description, inputSchema, kind])].join("");
		each.push(text);
		characters += text.length;
		yield;
	}
	const hash = yield* sha256([jsonPieces([toolChoice, output]), ...each.sort()]);
	rememberToolsLength(tools, characters);
	hashed.set(tools, { toolChoice, output, hash });
	return hash;
}

/** Whether a request wants no more than a text. */
export function makesNoDemands(
	tools: TurnRequest["tools"],
	toolChoice: TurnRequest["toolChoice"],
	output: TurnRequest["output"],
): boolean {
	return tools.length === 0 && toolChoice.kind === "auto" && output.kind === "text";
}

/** Equal when two requests come from the same agent, as far as that shows without their messages. */
export function* frameHash(request: TurnRequest): Sliced<string> {
	return yield* sha256([request.model, yield* toolSetHash(request), ...request.system]);
}

/** Equal when two results have the same content. */
export function* resultHash(result: ToolResultPart): Sliced<string> {
	return yield* sha256([String(result.isError), yield* partsHash(result.content)]);
}

/** Equal when two lists of parts have the same content. */
export function* partsHash(parts: readonly (TextPart | ImagePart)[]): Sliced<string> {
	return yield* sha256(
		parts.flatMap((part) => (part.type === "text" ? ["text", part.text] : [part.mediaType, part.data])),
	);
}

/** The name of a stored conversation, whatever tools were found in it. The store adds the caller to it. */
export function* conversationKey(request: TurnRequest, messages: readonly TurnMessage[]): Sliced<string> {
	const hash = yield* toolSetHash({ ...request, tools: lastingTools(request.tools) });
	return yield* sha256(keyParts(request.model, hash, messages));
}

const lasting = new WeakMap<readonly ToolDefinition[], ToolDefinition[]>();

/** Without those that were found on the way: Cursor is told of all tools anew when it goes on from its own state. */
function lastingTools(tools: ToolDefinition[]): ToolDefinition[] {
	if (!tools.some(({ isFoundLater }) => isFoundLater)) return tools;
	const known = lasting.get(tools) ?? tools.filter(({ isFoundLater }) => !isFoundLater);
	lasting.set(tools, known);
	return known;
}

function* keyParts(model: string, tools: string, messages: readonly TurnMessage[]): Generator<Part, void, undefined> {
	yield model;
	yield tools;
	for (const message of messages) yield jsonPieces(comparable(message));
}
