import type { Sliced } from "../../time/slices.ts";
import { type ChatRequest, chatRequest } from "../chat/decode.ts";
import { invalid, parseWith } from "../shared/invalid.ts";
import { type CompletionsRequestBody, completionsRequestSchema } from "./schema.ts";

/** Fields that mean the same in Chat Completions. Fields that only a chat has are left aside. */
const SHARED = [
	...["model", "stream", "stream_options", "stop", "max_tokens", "n", "user", "metadata"],
	...["temperature", "top_p", "frequency_penalty", "presence_penalty", "seed", "logit_bias"],
	...["cursor_mode", "cursor_max_mode"],
];

/** A body of the older API as the equivalent chat request: the prompt is the only message. */
export function* completionsRequest(json: unknown): Sliced<ChatRequest> {
	const body = parseWith(completionsRequestSchema, json);
	refuseUnsupported(body);
	const shared = Object.fromEntries(SHARED.flatMap((name) => (name in body ? [[name, body[name]]] : [])));
	const request = yield* chatRequest({ ...shared, messages: [{ role: "user", content: promptOf(body) }] });
	request.turn.warnings.push(...withoutEffect(body));
	return request;
}

function promptOf({ prompt }: CompletionsRequestBody): string {
	const prompts = typeof prompt === "string" ? [prompt] : prompt;
	if (prompts.length > 1 && prompts.every((each) => typeof each === "string")) {
		throw invalid("prompt", "must hold one text; send a request for each of several");
	}
	const [text] = prompts;
	if (prompts.length !== 1 || typeof text !== "string") {
		throw invalid("prompt", "must be a text, or a list that holds one: Cursor takes no tokens");
	}
	if (text.trim() === "") throw invalid("prompt", "must not be empty");
	return text;
}

/** Without these settings the reply would look as if they had been followed. */
function refuseUnsupported({ suffix, echo }: CompletionsRequestBody): void {
	if (suffix)
		throw invalid("suffix", "must be left out: Cursor's models answer a prompt, and insert no text before another");
	if (echo) throw invalid("echo", "must be left out: put the prompt before the reply yourself");
}

function withoutEffect({ best_of: bestOf, logprobs }: CompletionsRequestBody): string[] {
	return [
		...(bestOf !== undefined && bestOf !== null && bestOf > 1 ? ["best_of has no effect"] : []),
		...(logprobs !== undefined && logprobs !== null ? ["logprobs has no effect"] : []),
	];
}
