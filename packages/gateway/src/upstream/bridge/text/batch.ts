import { isRecord } from "../match/schema.ts";
import type { ToolOutcome } from "../outcome.ts";

/**
 * Tools that take a list of requests return a list of results, one per request: `[{ query, result, success }]`. If the
 * request was the only element, this extracts its result.
 */
export function unwrapBatch(outcome: ToolOutcome): ToolOutcome {
	const parsed = parseJson(outcome.text);
	const only = Array.isArray(parsed) && parsed.length === 1 ? parsed[0] : undefined;
	if (!isRecord(only) || typeof only.result !== "string" || typeof only.success !== "boolean") return outcome;
	const error = typeof only.error === "string" ? only.error : "";
	const text = [error, only.result].filter((part) => part !== "").join("\n");
	return { ...outcome, text, isError: outcome.isError || error !== "" };
}

/** Parses JSON text; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
	if (!/^\s*[[{]/.test(text)) return undefined;
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
