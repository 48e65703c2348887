import { describe, expect, it } from "vitest";
import { WireError } from "../../wire/errors.ts";
import { noResponse, refusedResponse } from "./auth-failure.ts";
import type { AuthResponse } from "./auth-response.ts";

function response(status: number, body: unknown = "", headers = {}): AuthResponse {
	const text = typeof body === "string" ? body : JSON.stringify(body);
	return { status, headers, text, json: typeof body === "string" ? undefined : (body as Record<string, unknown>) };
}

describe("an unexpected response", () => {
	it.each([
		[401, "signed-out"],
		[403, "permission-denied"],
		[404, "upstream-unavailable"],
		[429, "rate-limited"],
		[500, "upstream-unavailable"],
		[503, "upstream-unavailable"],
		[302, "upstream-unavailable"],
		[200, "upstream-protocol"],
		[418, "upstream-error"],
	])("with status %i is %s", (status, kind) => expect(refusedResponse(response(status)).kind).toBe(kind));

	it("names the sign-in policy of an organisation", () => {
		const error = refusedResponse(response(403, { error: "sign_in_policy_violation", message: "Use SSO." }));
		expect(error).toMatchObject({ kind: "permission-denied", detail: "Use SSO." });
		expect(error.message).toContain("policy");
	});

	it.each([
		[{ message: "a" }, "a"],
		[{ error: { message: "b" } }, "b"],
		[{ error: "c" }, "c"],
		[{ other: 1 }, undefined],
		["plain words", "plain words"],
		["no crsr_0a1b2c3d and Bearer eyJhbGciOi.eyJz.c2ln either", "no (key) and Bearer (token) either"],
		["", undefined],
		[{ message: "\u001b[31mred\u0007\r\nnext\u202e" }, "[31mred next"],
		["<!doctype html><title>502</title>", "It answered with an HTML page."],
		["  <html>\n", "It answered with an HTML page."],
		[{ message: "see <b>this</b>" }, "It answered with an HTML page."],
	])("says of %j: %j", (body, said) => expect(refusedResponse(response(500, body)).detail).toBe(said));

	it("is cut to a readable length", () => {
		expect(refusedResponse(response(500, "x".repeat(5000))).detail).toHaveLength(301);
	});

	it.each([
		["7", 7],
		["1.2", 2],
		["Wed, 21 Oct 2026 07:28:00 GMT", 20],
		[undefined, 20],
	])("waits as long as retry-after %s asks", (header, seconds) => {
		expect(refusedResponse(response(429, "", { "retry-after": header })).retryAfterSeconds).toBe(seconds);
	});
});

describe("no response", () => {
	it.each([
		[new WireError("connect-failed", "refused"), "upstream-unavailable"],
		[new WireError("tls", "bad certificate"), "upstream-unavailable"],
		[new WireError("deadline-exceeded", "late"), "upstream-timeout"],
		[new WireError("body-too-large", "huge"), "upstream-protocol"],
		[new WireError("aborted", "gone"), "cancelled"],
		[new WireError("bad-request", 'Invalid character in "canary"'), "invalid-request"],
		[new TypeError("canary"), "internal"],
	])("%s is %s", (error, kind) => {
		const seen = noResponse(error, "https://api2.cursor.sh");
		expect(seen.kind).toBe(kind);
		expect(seen.fullMessage).not.toContain("canary");
	});
});
