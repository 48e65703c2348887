import { ERROR_KINDS, type ErrorKindEntry } from "../src/turn/error-kinds.ts";
import { WIRE_ERROR_CAUSES } from "../src/upstream/errors/decode-wire-error.ts";
import {
	ERROR_DETAILS,
	type ErrorDetailsRule,
	INFERENCE_ERROR_TYPES,
	PROVIDER_STATUSES,
} from "../src/upstream/errors/error-details.ts";
import { HTTP_STATUS_CAUSES } from "../src/upstream/errors/http-statuses.ts";
import { RPC_CODE_CAUSES } from "../src/upstream/errors/rpc-codes.ts";
import { table } from "./markdown.ts";

/** docs/errors.md, from the tables that the program itself uses. */
export function renderErrorsDoc(): string {
	return `${sections().join("\n\n")}\n`;
}

function sections(): string[] {
	return [
		"# Errors",
		"Generated from the tables in `packages/gateway/src/turn/error-kinds.ts` and `packages/gateway/src/upstream/errors/` by `npm run docs`; a test compares both.",
		"Every error has one of the kinds below. The status tells a client what to do: 402 or 403 if waiting does not help, 429 or 503 with `retry-after` if it does; 401 is only for the gateway's own key. Each response says in `x-should-retry` whether a client may repeat the request on its own, which the official libraries obey; `retry-after` is never above 60 s. The message has three parts: what happened, what Cursor said (title and detail, at most 2 KB), and what to do.",
		"## Kinds",
		table(
			["kind", "status", "OpenAI type / code", "Anthropic type", "retry", "meaning", "what to do"],
			Object.entries(ERROR_KINDS).map(([kind, entry]) => kindRow(kind, entry)),
		),
		"`retry`: **never**: a client must not repeat the request on its own; **later**: it may, after this number of seconds (or the time that Cursor asks for); **now**: it may, at once.",
		"## How Cursor's errors are read",
		[
			"An error from Cursor is read in this order, and the first clear sign decides:",
			"",
			"1. The error type in the metadata (`x-cursor-inference-request-error-type`).",
			"2. `ErrorDetails.error` (the binary value; its JSON form only if that cannot be read). Values marked *vague* decide only if the next two say nothing.",
			"3. The text: a required update, a prompt that is too long, used-up quota, a region, a content policy.",
			"4. The size, for a `resource_exhausted` without any reason: a prompt of at least 90 % of the model's context window is `context-too-long`. Otherwise it is `rate-limited`, as in Cursor's own client, with a sentence that says what else it can mean.",
			"5. The Connect code. A custom message that is marked as not retryable becomes `permission-denied` or `invalid-request`; one that is marked as retryable becomes `upstream-error`.",
		].join("\n"),
		"### ErrorDetails",
		table(
			["`ErrorDetails.error`", "kind"],
			Object.entries(ERROR_DETAILS).map(([name, rule]) => [`\`ERROR_${name}\``, ruleText(rule)]),
		),
		"### Error types in the metadata",
		causeTable("error type", INFERENCE_ERROR_TYPES),
		"### Statuses of a model's provider",
		causeTable("`additional_info.providerStatusCode`", PROVIDER_STATUSES),
		"### Connect codes",
		causeTable("code", Object.entries(RPC_CODE_CAUSES)),
		"### HTTP statuses without a Connect error",
		causeTable("status", HTTP_STATUS_CAUSES),
		"Other 5xx statuses are `upstream-error`, all others `upstream-protocol`. A redirect is never followed.",
		"### Connections",
		causeTable("cause", Object.entries(WIRE_ERROR_CAUSES)),
	];
}

function kindRow(kind: string, entry: ErrorKindEntry): string[] {
	const retry = entry.retryAfterSeconds ? `${entry.retry} (${entry.retryAfterSeconds} s)` : entry.retry;
	const { openai, anthropic, status, sentence, nextStep } = entry;
	return [
		`\`${kind}\``,
		String(status),
		`\`${openai.type}\` / \`${openai.code}\``,
		`\`${anthropic}\``,
		retry,
		sentence,
		nextStep,
	];
}

function ruleText({ kind, vague, fromProvider }: ErrorDetailsRule): string {
	const base = kind === "by-code" ? "by Connect code" : `\`${kind}\``;
	const notes = [vague && "*vague*", fromProvider && "or by the provider's status"].filter((note) => note);
	return [base, ...notes].join(", ");
}

function causeTable(title: string, causes: Iterable<readonly [string | number, { kind: string }]>): string {
	return table(
		[title, "kind"],
		[...causes].map(([sign, { kind }]) => [`\`${sign}\``, `\`${kind}\``]),
	);
}
