import type OpenAI from "openai";
import { expect } from "vitest";

/** A schema is looked at in a thread, whose program is a file of its own: that it is refused shows that the thread runs. */
export async function expectSchemaThread(client: OpenAI): Promise<void> {
	const schema = { type: "object", properties: { a: { $ref: "https://example.test/elsewhere" } } };
	const asked = client.chat.completions.create({
		model: "auto",
		messages: [{ role: "user", content: "Say hello" }],
		response_format: { type: "json_schema", json_schema: { name: "far", schema } },
	});
	await expect(asked).rejects.toThrow(/400.*cannot be used: can't resolve reference/);
}
