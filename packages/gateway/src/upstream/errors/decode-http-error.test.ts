import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ErrorKind } from "../../turn/error-kinds.ts";
import { decodeHttpError } from "./decode-http-error.ts";

const failure = (status: number, body = "", headers: Record<string, string> = {}) => ({
	status,
	headers,
	body: Buffer.from(body),
});

describe("decodeHttpError", () => {
	it.each<[number, ErrorKind]>([
		[200, "upstream-protocol"],
		[204, "upstream-protocol"],
		[302, "upstream-protocol"],
		[400, "invalid-request"],
		[401, "signed-out"],
		[402, "quota-exhausted"],
		[403, "permission-denied"],
		[404, "upstream-protocol"],
		[407, "upstream-unavailable"],
		[413, "too-large"],
		[429, "rate-limited"],
		[451, "region-unsupported"],
		[464, "upstream-protocol"],
		[500, "upstream-error"],
		[502, "upstream-unavailable"],
		[503, "upstream-unavailable"],
		[504, "upstream-timeout"],
		[505, "upstream-protocol"],
		[599, "upstream-error"],
	])("U19: maps status %i to %s", (status, kind) => {
		const error = decodeHttpError(failure(status));
		expect(error.kind).toBe(kind);
		expect(error.detail).toBe(`HTTP ${status}`);
	});

	it("reads a Connect error, with the headers as its metadata", () => {
		const body = JSON.stringify({ code: "resource_exhausted", message: "slow down" });
		expect(decodeHttpError(failure(429, body, { "retry-after": "3" }))).toMatchObject({
			kind: "rate-limited",
			detail: "slow down",
			retryAfterSeconds: 3,
		});
		const typed = failure(400, body, { "x-cursor-inference-request-error-type": "MAX_TOKENS" });
		expect(decodeHttpError(typed).kind).toBe("context-too-long");
	});

	it("reads a compressed Connect error", () => {
		const body = gzipSync(JSON.stringify({ code: "not_found", message: "gone" }));
		expect(decodeHttpError({ status: 404, headers: { "content-encoding": "gzip" }, body }).detail).toBe("gone");
	});

	it("reads errors of the REST API in each of their forms", () => {
		for (const body of [
			{ error: { code: "unauthorized", message: "Invalid User API Key" } },
			{ code: "unauthorized", message: "Invalid User API Key" },
			{ error: "Invalid User API Key" },
		]) {
			expect(decodeHttpError(failure(401, JSON.stringify(body)))).toMatchObject({
				kind: "signed-out",
				detail: "HTTP 401: Invalid User API Key",
			});
		}
	});

	it("shows the title of a page, and no markup", () => {
		const page = "<!doctype html><html><title>Bad\ngateway</title><body><script>alert(1)</script>";
		expect(decodeHttpError(failure(502, page)).detail).toBe("HTTP 502: Bad gateway");
		expect(decodeHttpError(failure(502, "<p>no title</p>")).detail).toBe("HTTP 502");
		expect(decodeHttpError(failure(503, "try later\n")).detail).toBe("HTTP 503: try later");
	});

	it("never follows or shows where a redirect leads", () => {
		const error = decodeHttpError(failure(302, "", { location: "http://evil.test/?token=x" }));
		expect(error.fullMessage).not.toContain("evil");
		expect(error.message).toContain("does not follow");
	});

	it("never throws", () => {
		const body = fc.oneof(
			fc.uint8Array(),
			fc.json().map((text) => Buffer.from(text)),
		);
		const coding = fc.constantFrom(undefined, "gzip", "br", "zip");
		fc.assert(
			fc.property(fc.integer({ min: 0, max: 999 }), body, coding, (status, bytes, encoding) => {
				const error = decodeHttpError({ status, headers: { "content-encoding": encoding }, body: bytes });
				expect(error.status).toBeGreaterThanOrEqual(400);
			}),
		);
	});
});
