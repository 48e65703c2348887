// Errors as they come over a real stream.
import { describe, expect, it } from "vitest";
import type { ErrorKind } from "../../src/turn/error-kinds.ts";
import { runHeaders } from "../../src/upstream/account/identity.ts";
import { decodeRpcError } from "../../src/upstream/errors/decode-rpc-error.ts";
import { ERROR_DETAILS } from "../../src/upstream/errors/error-details.ts";
import { parseEndStream } from "../../src/wire/framing/end-stream.ts";
import { EnvelopeReader, encodeEnvelope } from "../../src/wire/framing/envelope.ts";
import { unary } from "../../src/wire/unary.ts";
import { refusal } from "./refusal.ts";
import { emulator, http2, IDENTITY, KeyTokens } from "./rig.ts";

/** What the chat RPC of older clients ends with. */
async function chatError(url: string) {
	const facts = {
		token: await new KeyTokens(url).token(),
		ghostMode: true,
		requestId: "r",
		originalRequestId: "r",
		now: 0,
	};
	const path = "/aiserver.v1.ChatService/StreamUnifiedChat";
	const request = { origin: new URL(url), key: "k", path, headers: runHeaders(IDENTITY, facts) };
	const { body } = await unary(http2(), request, encodeEnvelope(0, new Uint8Array()));
	const reader = new EnvelopeReader();
	reader.push(body);
	const { error, metadata } = parseEndStream(reader.next()!.payload);
	return decodeRpcError(error!, metadata);
}

describe("the end of a stream", () => {
	it.each<[string, ErrorKind, string]>([
		[
			"update-required",
			"client-outdated",
			"Update Required. Please update to the latest version of Cursor to continue.",
		],
		[
			"unsupported-region",
			"region-unsupported",
			"Model not available. This model provider does not serve your region.",
		],
		["deprecated", "upstream-deprecated", "Deprecated. Request type deprecated."],
		["unimplemented", "upstream-deprecated", "the chat service is not served here"],
	])("%s is read as %s", async (state, kind, text) => {
		const backend = await emulator({ switches: [`chat-service=${state}`] });
		const error = await chatError(backend.url);
		expect(error.kind).toBe(kind);
		expect(error.detail).toContain(text);
	});

	it("with any value of ErrorDetails is what the table says", async () => {
		const ask = await runner();
		for (const [name, rule] of Object.entries(ERROR_DETAILS)) {
			const error = await ask(`error=ERROR_${name}@frame:1`);
			expect(error?.detail, name).toBe(`By fault. The fault ERROR_${name}.`);
			expect(error?.kind, name).toBe(rule.kind === "by-code" ? "rate-limited" : rule.kind);
		}
	});

	it.each<[string, ErrorKind, string | undefined]>([
		["null-code", "upstream-error", "null code"],
		["unknown-code", "upstream-error", "unknown code"],
		["no-message", "upstream-error", undefined],
		["bad-details", "upstream-error", "bad details"],
		["long-message", "upstream-error", "x".repeat(2048)],
		["not-json", "upstream-protocol", "The end of the stream is not JSON."],
	])("U18: that is wrong in itself (%s) is still an error", async (fault, kind, detail) => {
		const error = await (await runner())(`bad-error=${fault}@frame:1`);
		expect(error).toMatchObject({ kind, detail });
	});
});

/** Runs into a fault. */
async function runner() {
	const backend = await emulator({ brain: "echo" });
	const pool = http2();
	const token = await new KeyTokens(backend.url).token();
	const candidate = { modelId: "default", parameters: {}, maxMode: false, spelling: "plain" as const };
	return (fault: string) => {
		backend.clearFaults();
		backend.addFault(fault);
		return refusal(pool, new URL(backend.url), token, candidate);
	};
}
