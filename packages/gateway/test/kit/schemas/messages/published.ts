import { Ajv } from "ajv";
import error from "./error.json" with { type: "json" };
import event from "./event.json" with { type: "json" };
import message from "./message.json" with { type: "json" };
import usage from "./usage.json" with { type: "json" };

// For tests only: what Anthropic's API gives a client, closed against fields that are not in it.

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, strictTypes: false, strictRequired: false });
ajv.addSchema([usage, message, error, event]);

export type PublishedSchema = "message" | "event" | "error";

/** What is wrong with a value, as lines; none if it is valid. */
export function violations(schema: PublishedSchema, value: unknown): string[] {
	if (ajv.validate(`${schema}.json`, value)) return [];
	return (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath || "/"} ${message}`);
}
