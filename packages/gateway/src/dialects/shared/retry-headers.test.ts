import { expect, it } from "vitest";
import { GatewayError } from "../../turn/error.ts";
import { ERROR_KINDS, type ErrorKind, type ErrorKindEntry } from "../../turn/error-kinds.ts";
import { retryHeaders } from "./retry-headers.ts";

it.each(Object.keys(ERROR_KINDS) as ErrorKind[])("says of %s whether to try again, as the table does", (kind) => {
	const entry: ErrorKindEntry = ERROR_KINDS[kind];
	const headers = retryHeaders(new GatewayError(kind));
	expect(headers["x-should-retry"]).toBe(entry.retry === "never" ? "false" : "true");
	expect("retry-after" in headers).toBe(entry.retryAfterSeconds !== undefined);
});

it("asks nobody to come back after a while who is not to come back by himself", () => {
	const error = new GatewayError("upstream-failing", undefined, { retryAfterSeconds: 10 });
	expect(retryHeaders(error)).toEqual({ "x-should-retry": "false" });
});

it.each([
	[0, "1"],
	[0.2, "1"],
	[20, "20"],
	[59.5, "60"],
	[3600, "60"],
])("asks to come back after whole seconds, and never after more than a minute: %d", (retryAfterSeconds, header) => {
	expect(retryHeaders(new GatewayError("rate-limited", undefined, { retryAfterSeconds }))).toEqual({
		"x-should-retry": "true",
		"retry-after": header,
	});
});
