import type { IncomingMessage } from "node:http";
import type { RequestOrigin } from "../observe/facts.ts";
import { parseTraceParent, TRACE_PARENT_LENGTH } from "../observe/traces/trace-parent.ts";

/** Where a request came from, for the log. */
export function originOf(
	{ headers }: Pick<IncomingMessage, "headers">,
	requestId: string,
	caller?: { name?: string },
): RequestOrigin {
	const client = clientName(headers["user-agent"]);
	const traceparent = headers.traceparent === undefined ? undefined : wellFormed(headers.traceparent);
	return {
		requestId,
		...(client !== undefined && { client }),
		...(caller?.name !== undefined && { key: caller.name }),
		...(traceparent !== undefined && { traceparent }),
	};
}

const wellFormed = (traceparent: string | string[]): string | undefined => {
	const text = String(traceparent);
	return parseTraceParent(text) && text.slice(0, TRACE_PARENT_LENGTH);
};

/** `claude-cli/2.0.1 (external, cli)` is `claude-cli`: the first name, and nothing that could be anything else. */
const FIRST_NAME = /^[A-Za-z][\w.+-]{0,31}(?![\w.+-])/;

export function clientName(userAgent: string | undefined): string | undefined {
	return userAgent === undefined ? undefined : FIRST_NAME.exec(userAgent)?.[0];
}
