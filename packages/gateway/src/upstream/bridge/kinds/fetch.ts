import type { FetchArgs } from "@cursorwire/protocol/agent";
import type { BridgedKind } from "../exec-kind.ts";
import { choice, must, spare, text, want } from "../match/wish.ts";
import type { AnswerValue, ExecAnswerInit } from "../outcome.ts";
import { failureOf } from "../text/failure.ts";
import { PROMPT, URL_NAMES } from "./parameter-names.ts";

const CONTENT_TYPES: Readonly<Record<string, string>> = { markdown: "text/markdown", html: "text/html" };

export const FETCH: BridgedKind<FetchArgs> = {
	plan: ({ url }) => ({
		intent: "fetch",
		asks: [
			{
				intent: "fetch",
				wishes: [
					must(URL_NAMES, text(url)),
					want(["format", "outputformat", "saveas"], choice(["markdown", "text", "html"])),
					// Some tools have a small model read the page.
					spare(PROMPT, text("Return the whole content of the page, unchanged.")),
				],
				answer: (outcome, { arguments: { format } }) => {
					const failure = failureOf(outcome);
					if (failure) return fetched({ case: "error", value: { url, error: failure.text } });
					const contentType = CONTENT_TYPES[String(format)] ?? "text/plain";
					return fetched({ case: "success", value: { url, content: outcome.text, statusCode: 200, contentType } });
				},
			},
		],
	}),
	refuse: ({ url }, error) => fetched({ case: "error", value: { url, error } }),
};

function fetched(result: AnswerValue<"fetchResult">["result"]): ExecAnswerInit[] {
	return [{ case: "fetchResult", value: { result } }];
}
