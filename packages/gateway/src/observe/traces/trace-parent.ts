/** Where a request stands in the trace of its client: https://www.w3.org/TR/trace-context/ */
export interface TraceParent {
	traceId: string;
	parentSpanId: string;
	/** Whether the client wants this trace to be kept. */
	isSampled: boolean;
}

/** Without what later versions may add to the end. */
export const TRACE_PARENT_LENGTH = 55;

const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NOTHING = /^0+$/;
const SAMPLED = 1;

/** Undefined for what is no trace context. Later versions may add to the end. */
export function parseTraceParent(text: string | undefined): TraceParent | undefined {
	const [, version, traceId, parentSpanId, flags, more] = FORM.exec(text ?? "") ?? [];
	if (traceId === undefined || parentSpanId === undefined || flags === undefined) return undefined;
	if (version === "ff" || (version === "00" && more !== undefined)) return undefined;
	if (NOTHING.test(traceId) || NOTHING.test(parentSpanId)) return undefined;
	return { traceId, parentSpanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}
