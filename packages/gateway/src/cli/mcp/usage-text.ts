import type { UsageAnswer } from "../../usage/usage-answer.ts";
import { count, type Found, lines } from "./found.ts";

/** What `GET /v1/usage` says; other versions of the gateway may say more. */
export type Usage = UsageAnswer & Readonly<Record<string, unknown>>;

const SPANS = { today: "Today", week: "In the last seven days", period: "In this billing period" } as const;
export type Span = keyof typeof SPANS;

const MOST_MODELS = 10;

export function usageText(usage: Usage, only: Span | undefined): Found {
	const spans = (Object.keys(SPANS) as Span[]).filter((span) => only === undefined || span === only);
	const whose =
		usage.scope === "all" ? "All keys of this gateway." : `The key ${usage.key ?? "of this request"} alone.`;
	const text = lines(
		whose,
		spans.flatMap((span) => spanLines(span, usage)),
	);
	return { text, data: Object.fromEntries([["scope", usage.scope], ...spans.map((span) => [span, usage[span]])]) };
}

function spanLines(span: Span, usage: Usage): string[] {
	const { turns, errors, since, by_model: models, by_key: keys = [], ...tokens } = usage[span];
	return [
		`${SPANS[span]} (since ${since}): ${count(turns)} turns, ${count(errors)} failed; ${tokensText(tokens)}`,
		...models.slice(0, MOST_MODELS).map((row) => `  model ${row.model}: ${count(row.turns)} turns, ${tokensText(row)}`),
		...keys.slice(0, MOST_MODELS).map((row) => `  key ${row.key}: ${count(row.turns)} turns, ${tokensText(row)}`),
	];
}

type Tokens = Pick<UsageAnswer["today"], "input_tokens" | "cached_tokens" | "output_tokens">;

const tokensText = ({ input_tokens, cached_tokens, output_tokens }: Tokens): string =>
	`${count(input_tokens)} tokens in (${count(cached_tokens)} cached), ${count(output_tokens)} out`;
