import { expect, it } from "vitest";
import { parseTraceParent } from "./trace-parent.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";

it("reads a trace context", () => {
	const parent = { traceId: TRACE, parentSpanId: SPAN };
	expect(parseTraceParent(`00-${TRACE}-${SPAN}-01`)).toEqual({ ...parent, isSampled: true });
	expect(parseTraceParent(`00-${TRACE}-${SPAN}-02`)).toEqual({ ...parent, isSampled: false });
	expect(parseTraceParent(`01-${TRACE}-${SPAN}-03-more`)).toEqual({ ...parent, isSampled: true });
});

it.each([
	undefined,
	"",
	`00-${TRACE}-${SPAN}`,
	`00-${TRACE}-${SPAN}-01-more`,
	`ff-${TRACE}-${SPAN}-01`,
	`00-${"0".repeat(32)}-${SPAN}-01`,
	`00-${TRACE}-${"0".repeat(16)}-01`,
	`00-${TRACE.toUpperCase()}-${SPAN}-01`,
	`00-${TRACE}\n-${SPAN}-01`,
])("takes nothing else for one: %s", (text) => {
	expect(parseTraceParent(text)).toBeUndefined();
});
