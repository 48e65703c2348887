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
		"Every error is of one kind of a closed set. The status says what a client should do: what will not get better by itself is 402 or 403, what will is 429 or 503 with `retry-after`; 401 is for the gateway's own key alone. Each answer says in `x-should-retry` whether a client may repeat the request by itself, which the official libraries obey; `retry-after` is never above 60 s. The message holds three parts: what happened, what Cursor said (title and detail, at most 2 KB), and what to do.",
		"## Kinds",
		table(
			["kind", "status", "OpenAI type / code", "Anthropic type", "retry", "meaning", "what to do"],
			Object.entries(ERROR_KINDS).map(([kind, entry]) => kindRow(kind, entry)),
		),
		"`retry`: **never**, a client must not repeat the request by itself; **later**, after the number of seconds (or what Cursor asks for); **now**, it may work at once.",
		"## How Cursor's errors are read",
		[
			"An error of Cursor is read in this order; the first sign that is clear decides:",
			"",
			"1. The error type in the metadata (`x-cursor-inference-request-error-type`).",
			"2. `ErrorDetails.error` (the binary value; its JSON form only where that cannot be read). Values marked *vague* wait for the next two.",
			"3. The text: an update that is required, a prompt that is too long, used-up usage, a region, a content policy.",
			"4. The size, for a `resource_exhausted` without any reason: a prompt of at least 90 % of the model's context window is `context-too-long`. Otherwise it is `rate-limited`, which is what Cursor's own client takes it for, with a sentence that says what else it can mean.",
			"5. The Connect code. A custom message that says that it is not retryable becomes `permission-denied` or `invalid-request`; one that says that it is becomes `upstream-error`.",
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
		"Other 5xx statuses are `upstream-error`, all else is `upstream-protocol`. A redirect is never followed.",
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
