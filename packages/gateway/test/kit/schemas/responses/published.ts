import { Ajv } from "ajv";
import item from "./output-item.json" with { type: "json" };
import response from "./response.json" with { type: "json" };
import event from "./stream-event.json" with { type: "json" };

// For tests only: the published schemas of what a client receives, closed against fields that are not in them.

const ajv = new Ajv({
	allErrors: true,
	allowUnionTypes: true,
	discriminator: true,
	strictRequired: false,
	strictTypes: false,
});
ajv.addSchema([item, response, event]);

export type PublishedSchema = "response" | "stream-event" | "output-item";

/** What is wrong with a value, as lines; none if it is valid. */
export function violations(schema: PublishedSchema, value: unknown): string[] {
	if (ajv.validate(`${schema}.json`, value)) return [];
	return (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath || "/"} ${message}`);
}
