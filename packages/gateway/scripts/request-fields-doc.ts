import { CHAT_FIELDS } from "../src/dialects/fields/chat-fields.ts";
import { MESSAGES_FIELDS } from "../src/dialects/fields/messages-fields.ts";
import type { RequestFields } from "../src/dialects/fields/request-fields.ts";
import { RESPONSES_FIELDS } from "../src/dialects/fields/responses-fields.ts";
import { code, table } from "./markdown.ts";

/** docs/request-fields.md, from the tables that the program itself reads. */
export function renderRequestFieldsDoc(): string {
	return `${[
		"# Fields of requests",
		"Generated from the tables in `packages/gateway/src/dialects/fields` by `npm run docs`; a test compares them with the request types of OpenAI's and Anthropic's libraries.",
		[
			"What becomes of each field that a client can send:",
			"",
			"- **honoured**: it does what the API says, or as much of that as its line says.",
			"- **without effect**: the request is served, and `x-cursorwire-warnings` names the field. A value in brackets asks for nothing, and gets no warning.",
			"- **refused**: the request gets an error that names the field.",
			"- **hint**: it changes nothing that a reply could show, so there is nothing to be warned of.",
		].join("\n"),
		"Null means the same as a field that is left out. Fields that are not listed are left aside. `cursor_mode` and `cursor_max_mode` are the gateway's own: [configuration.md](configuration.md#modes-and-max-mode). Completions (`/v1/completions`) takes what Chat Completions takes, as far as it has the field.",
		"## Chat Completions",
		fieldTable(CHAT_FIELDS),
		"## Responses",
		fieldTable(RESPONSES_FIELDS),
		"## Messages",
		fieldTable(MESSAGES_FIELDS),
	].join("\n\n")}\n`;
}

function fieldTable(fields: RequestFields): string {
	return table(
		["field", "what becomes of it", ""],
		Object.entries(fields).map(([name, field]) => {
			const idle = field.fate === "without effect" ? field.asksForNothing.map((value) => code(shown(value))) : [];
			return [code(name), field.fate + (idle.length > 0 ? ` (${idle.join(", ")})` : ""), field.about];
		}),
	);
}

const shown = (value: unknown) => (value === "" ? "[]" : String(value));
