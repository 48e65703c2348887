import { digestOf } from "../text/digest.ts";
import { jsonPieces } from "../text/json-pieces.ts";
import type { Sliced } from "../time/slices.ts";
import { comparable } from "../turn/normalize.ts";
import type { ImagePart, TextPart, ToolDefinition, ToolResultPart, TurnMessage, TurnRequest } from "../turn/request.ts";

type Part = string | Uint8Array | Iterable<string>;

function* sha256(parts: Iterable<Part>): Sliced<string> {
	return (yield* digestOf(parts)).toString("base64url");
}

/** What was hashed of a request, which asks for it several times. */
const hashed = new WeakMap<readonly ToolDefinition[], Pick<TurnRequest, "toolChoice" | "output"> & { hash: string }>();

/**
 * Two requests offer the same tools, in whichever order, and demand the same of the answer. A run keeps what it was told
 * about that, so one that must call a tool is not the one to go on with when it need not any more.
 */
export function* toolSetHash({ tools, toolChoice, output }: TurnRequest): Sliced<string> {
	const known = hashed.get(tools);
	if (known?.toolChoice === toolChoice && known.output === output) return known.hash;
	const each: string[] = [];
	for (const { name, description, inputSchema, kind } of tools) {
		each.push([...jsonPieces([name, description, inputSchema, kind])].join(""));
		yield;
	}
	const hash = yield* sha256([jsonPieces([toolChoice, output]), ...each.sort()]);
	hashed.set(tools, { toolChoice, output, hash });
	return hash;
}

/** Two requests are of the same agent, as far as can be seen without their messages. */
export function* frameHash(request: TurnRequest): Sliced<string> {
	return yield* sha256([request.model, yield* toolSetHash(request), ...request.system]);
}

/** Two results say the same. */
export function* resultHash(result: ToolResultPart): Sliced<string> {
	return yield* sha256([String(result.isError), yield* partsHash(result.content)]);
}

/** Two lists of parts say the same. */
export function* partsHash(parts: readonly (TextPart | ImagePart)[]): Sliced<string> {
	return yield* sha256(
		parts.flatMap((part) => (part.type === "text" ? ["text", part.text] : [part.mediaType, part.data])),
	);
}

/** Names a stored conversation: whose it is comes on top of that, in the store. */
export function* conversationKey(request: TurnRequest, messages: readonly TurnMessage[]): Sliced<string> {
	return yield* sha256(keyParts(request.model, yield* toolSetHash(request), messages));
}

function* keyParts(model: string, tools: string, messages: readonly TurnMessage[]): Generator<Part, void, undefined> {
	yield model;
	yield tools;
	for (const message of messages) yield jsonPieces(comparable(message));
}
