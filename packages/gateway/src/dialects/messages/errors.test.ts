import { describe, expect, it } from "vitest";
import { violations } from "../../../test/kit/schemas/messages/published.ts";
import { GatewayError } from "../../turn/error.ts";
import { ERROR_KINDS, type ErrorKind } from "../../turn/error-kinds.ts";
import { retryHeaders } from "../shared/retry-headers.ts";
import { encodeMessagesError } from "./errors.ts";

describe("encodeMessagesError", () => {
	it.each(Object.keys(ERROR_KINDS) as ErrorKind[])("tells %s in Anthropic's form", (kind) => {
		const { status, headers, body } = encodeMessagesError(new GatewayError(kind), "req_1");
		const entry = ERROR_KINDS[kind];
		expect(violations("error", body)).toEqual([]);
		expect(status).toBe(entry.status);
		expect(body).toMatchObject({ type: "error", error: { type: entry.anthropic }, request_id: "req_1" });
		expect(body.error.message.endsWith(`${entry.sentence} ${entry.nextStep}`)).toBe(true);
		expect(body.error).not.toHaveProperty("details");
		expect(headers).toEqual(retryHeaders(new GatewayError(kind)));
	});

	it("has null for an id that nobody gave", () => {
		const { body } = encodeMessagesError(new GatewayError("bad-key"));
		expect(body.request_id).toBeNull();
		expect(violations("error", body)).toEqual([]);
	});

	it.each([
		[250_000, 200_000, /^prompt is too long: 250000 tokens > 200000 maximum\. The conversation is too long/],
		// An estimate may be too low.
		[190_000, 200_000, /^prompt is too long: 200001 tokens > 200000 maximum\. /],
	])("says by how much a prompt is too long: %d of %d", (promptTokens, windowTokens, words) => {
		const error = new GatewayError("context-too-long");
		error.overflow = { promptTokens, windowTokens };
		expect(encodeMessagesError(error).body.error.message).toMatch(words);
	});

	it("says that a prompt is too long in the words that clients look for", () => {
		const { body } = encodeMessagesError(new GatewayError("context-too-long"));
		expect(body.error.message).toMatch(/^prompt is too long: The conversation is too long for this model\./);
	});

	it("tells what the upstream said and what to do", () => {
		const error = new GatewayError("upstream-error", "It failed.", { detail: "Said so.\ud800", nextStep: "Wait." });
		expect(encodeMessagesError(error).body.error.message).toBe("It failed. Said so.\ufffd. Wait.");
	});
});
