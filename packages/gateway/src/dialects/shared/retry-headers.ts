import type { GatewayError } from "../../turn/error.ts";
import { ERROR_KINDS } from "../../turn/error-kinds.ts";

/** Claude Code gives up if it would have to wait longer than this. */
const LONGEST_RETRY_AFTER_SECONDS = 60;

/**
 * What an error tells a client about trying again. The official libraries of both vendors obey `x-should-retry` at any
 * status; without it they would, for example, repeat every 502. An error that must not be repeated has no
 * `retry-after`, because Codex would wait for it and come back, at any status.
 */
export function retryHeaders({ kind, retryAfterSeconds }: GatewayError): Record<string, string> {
	if (ERROR_KINDS[kind].retry === "never") return { "x-should-retry": "false" };
	if (retryAfterSeconds === undefined) return { "x-should-retry": "true" };
	const seconds = Math.min(Math.max(1, Math.ceil(retryAfterSeconds)), LONGEST_RETRY_AFTER_SECONDS);
	return { "x-should-retry": "true", "retry-after": String(seconds) };
}
