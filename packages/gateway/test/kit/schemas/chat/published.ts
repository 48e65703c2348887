import { Ajv } from "ajv";
import completion from "./chat-completion.json" with { type: "json" };
import chunk from "./chat-completion-chunk.json" with { type: "json" };
import error from "./error.json" with { type: "json" };
import usage from "./usage.json" with { type: "json" };

// For tests only: OpenAI's published schemas of what a client receives, closed against fields that are not in them.

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
ajv.addSchema([usage, completion, chunk, error]);

export type PublishedSchema = "chat-completion" | "chat-completion-chunk" | "error";

/** What is wrong with a value, as lines; none if it is valid. */
export function violations(schema: PublishedSchema, value: unknown): string[] {
	if (ajv.validate(`${schema}.json`, value)) return [];
	return (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath || "/"} ${message}`);
}
