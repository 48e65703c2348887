import { create, toBinary } from "@bufbuild/protobuf";
import { ErrorDetails_Error, ErrorDetailsSchema } from "@cursorwire/protocol/aiserver";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ErrorKind } from "../../turn/error-kinds.ts";
import { parseEndStream, RPC_CODES, type RpcCode, type RpcError } from "../../wire/framing/end-stream.ts";
import { decodeRpcError } from "./decode-rpc-error.ts";
import { ERROR_DETAILS, type ErrorDetailsName, INFERENCE_ERROR_TYPES } from "./error-details.ts";
import { UpstreamFailure } from "./upstream-failure.ts";

interface Said {
	name?: ErrorDetailsName;
	title?: string;
	detail?: string;
	isRetryable?: boolean;
	additionalInfo?: Record<string, string>;
}

function rpcError(code: RpcCode, said?: Said, message = "Error"): RpcError {
	if (!said) return { code, message, details: [] };
	const { name = "UNSPECIFIED", ...details } = said;
	const value = toBinary(ErrorDetailsSchema, create(ErrorDetailsSchema, { error: ErrorDetails_Error[name], details }));
	return { code, message, details: [{ type: "aiserver.v1.ErrorDetails", value }] };
}

const kindOf = (
	error: RpcError,
	...rest: Parameters<typeof decodeRpcError> extends [unknown, ...infer R] ? R : never
) => decodeRpcError(error, ...rest).kind;

describe("the cause", () => {
	it("is what the table says for every value that is not vague, under any code", () => {
		for (const [name, rule] of Object.entries(ERROR_DETAILS)) {
			if (rule.vague) continue;
			for (const code of RPC_CODES) {
				expect(kindOf(rpcError(code, { name: name as ErrorDetailsName })), name).toBe(rule.kind);
			}
		}
	});

	it("is the exact name in the metadata, whatever the details say", () => {
		for (const [type, { kind }] of INFERENCE_ERROR_TYPES) {
			const metadata = { "x-cursor-inference-request-error-type": [type] };
			expect(kindOf(rpcError("internal", { name: "PROVIDER_ERROR" }), metadata), type).toBe(kind);
		}
		const unknown = { "x-cursor-inference-request-error-type": ["NEW_NAME"] };
		expect(kindOf(rpcError("internal", { name: "TIMEOUT" }), unknown)).toBe("upstream-timeout");
	});

	it.each<[string, ErrorKind]>([
		["429", "rate-limited"],
		["400", "invalid-request"],
		["404", "model-not-found"],
		["529", "upstream-error"],
		["nonsense", "upstream-error"],
	])("follows the provider's status %s", (providerStatusCode, kind) => {
		const said: Said = { name: "PROVIDER_ERROR", additionalInfo: { providerStatusCode } };
		expect(kindOf(rpcError("internal", said))).toBe(kind);
	});

	it("is an outdated client where a rate limit is titled Update Required", () => {
		const said: Said = { name: "GPT_4_VISION_PREVIEW_RATE_LIMIT", title: "Update Required", detail: "Please update." };
		expect(kindOf(rpcError("failed_precondition", said))).toBe("client-outdated");
		expect(kindOf(rpcError("resource_exhausted", { ...said, title: "Slow down" }))).toBe("rate-limited");
	});

	it("keeps an exact cause in spite of its words", () => {
		const said: Said = { name: "DEPRECATED", detail: "Please update to the latest version of Cursor." };
		expect(kindOf(rpcError("failed_precondition", said))).toBe("upstream-deprecated");
	});

	it.each<[string, ErrorKind]>([
		["Your conversation is too long.", "context-too-long"],
		["The input exceeds the maximum", "context-too-long"],
		["You have reached your usage limit", "quota-exhausted"],
		["This region is not supported", "region-unsupported"],
		["something else", "upstream-error"],
	])("is read from the text %j where there is nothing else", (message, kind) => {
		expect(kindOf(rpcError("unknown", undefined, message))).toBe(kind);
	});

	it("goes by the code where nothing else is known", () => {
		expect(kindOf(rpcError("unauthenticated"))).toBe("signed-out");
		expect(kindOf(rpcError("unimplemented"))).toBe("upstream-deprecated");
		expect(kindOf(rpcError("not_found"))).toBe("not-found");
		expect(kindOf(rpcError("unavailable", { name: "CUSTOM_MESSAGE", title: "Busy" }))).toBe("upstream-unavailable");
	});

	it("of a custom message follows what it says about a retry", () => {
		const custom = (code: RpcCode, isRetryable: boolean) =>
			kindOf(rpcError(code, { name: "CUSTOM_MESSAGE", title: "Read this", isRetryable }));
		expect(custom("resource_exhausted", false)).toBe("permission-denied");
		expect(custom("internal", false)).toBe("invalid-request");
		expect(custom("failed_precondition", true)).toBe("upstream-error");
		expect(custom("resource_exhausted", true)).toBe("rate-limited");
	});
});

describe("a resource_exhausted without a reason", () => {
	it("says honestly what it can mean", () => {
		const error = decodeRpcError(rpcError("resource_exhausted"));
		expect(error).toMatchObject({ kind: "rate-limited", detail: undefined, retryAfterSeconds: 20 });
		expect(error.message).toMatch(/without a reason/);
		expect(error.cause).toMatchObject({ isBare: true, code: "resource_exhausted" });
	});

	it("is an overflow when the prompt fills the window", () => {
		const bare = rpcError("resource_exhausted");
		expect(kindOf(bare, {}, { promptTokens: 190_000 })).toBe("context-too-long");
		expect(kindOf(bare, {}, { promptTokens: 190_000, contextTokens: 1_000_000 })).toBe("rate-limited");
		expect(kindOf(rpcError("resource_exhausted", { name: "RESOURCE_EXHAUSTED" }), {}, { promptTokens: 1e6 })).toBe(
			"context-too-long",
		);
	});

	it("is not bare when Cursor gives a reason", () => {
		const error = decodeRpcError(rpcError("resource_exhausted", { name: "RATE_LIMITED" }), {}, { promptTokens: 1e9 });
		expect(error.kind).toBe("rate-limited");
		expect((error.cause as UpstreamFailure).isBare).toBe(false);
	});
});

describe("what is told", () => {
	it("is title and detail, and never the word Error alone", () => {
		const said: Said = { name: "BAD_MODEL_NAME", title: "AI Model Not Found", detail: 'Model name is not valid: "x"' };
		const error = decodeRpcError(rpcError("not_found", said));
		expect(error.detail).toBe('AI Model Not Found. Model name is not valid: "x"');
		expect(error.fullMessage).toContain("cursorwire models");
		expect(decodeRpcError(rpcError("internal")).detail).toBeUndefined();
		expect(decodeRpcError(rpcError("internal", undefined, "it broke")).detail).toBe("it broke");
	});

	it("U18: is cut to 2 KB and clean", () => {
		const { detail } = decodeRpcError(
			rpcError("internal", { name: "INTERNAL", detail: `\u001b[2J${"é".repeat(1e5)}` }),
		);
		expect(Buffer.byteLength(detail!)).toBeLessThanOrEqual(2048);
		expect(detail).not.toContain("\u001b");
	});

	it("names the reset date of a used-up quota", () => {
		const context = { resetsAt: new Date("2026-09-08T10:00:00Z") };
		const used = decodeRpcError(rpcError("resource_exhausted", { name: "PRO_USER_USAGE_LIMIT" }), {}, context);
		expect(used.nextStep).toMatch(/^It starts anew on 2026-09-08\. Run `cursorwire usage`/);
		expect(decodeRpcError(rpcError("internal"), {}, context).nextStep).not.toContain("2026");
	});

	it("takes the wait that the server asks for", () => {
		const limited = rpcError("resource_exhausted", { name: "RATE_LIMITED" });
		expect(decodeRpcError(limited, { "retry-after": ["7"] }).retryAfterSeconds).toBe(7);
		expect(decodeRpcError(limited, { "retry-after": ["999999"] }).retryAfterSeconds).toBe(3600);
		expect(decodeRpcError(limited, { "retry-after": ["soon"] }).retryAfterSeconds).toBe(20);
		const never = rpcError("not_found", { name: "BAD_MODEL_NAME" });
		expect(decodeRpcError(never, { "retry-after": ["7"] }).retryAfterSeconds).toBeUndefined();
	});
});

describe("details", () => {
	const debug = {
		error: "ERROR_PRO_USER_USAGE_LIMIT",
		details: { title: "Used up", detail: "Wait.", isRetryable: false, additionalInfo: { providerStatusCode: 7 } },
	};

	it("come from the JSON form where the binary one cannot be read", () => {
		for (const value of [new Uint8Array(), new Uint8Array([0xff, 0xff, 0xff])]) {
			const details = [{ type: "type.googleapis.com/aiserver.v1.ErrorDetails", value, debug }];
			const error = decodeRpcError({ code: "resource_exhausted", message: "Error", details });
			expect(error).toMatchObject({ kind: "quota-exhausted", detail: "Used up. Wait." });
		}
	});

	it("come from the binary form first", () => {
		const [detail] = rpcError("internal", { name: "TIMEOUT" }).details;
		const error = decodeRpcError({ code: "internal", message: "", details: [{ ...detail!, debug }] });
		expect(error.kind).toBe("upstream-timeout");
	});

	it("of a newer kind leave the rest readable", () => {
		const value = toBinary(
			ErrorDetailsSchema,
			create(ErrorDetailsSchema, { error: 999 as ErrorDetails_Error, details: { title: "New", detail: "thing" } }),
		);
		const details = [{ type: "aiserver.v1.ErrorDetails", value }];
		expect(decodeRpcError({ code: "permission_denied", message: "Error", details })).toMatchObject({
			kind: "permission-denied",
			detail: "New. thing",
		});
	});
});

describe("whatever a server sends", () => {
	it("becomes an error of the closed set: any JSON", () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (code, details, debug) => {
				const detail = { type: "aiserver.v1.ErrorDetails", value: "", debug };
				const json = { error: { code, message: details, details: [details, detail] }, metadata: details };
				const end = parseEndStream(Buffer.from(JSON.stringify(json)));
				const error = decodeRpcError(end.error!, end.metadata);
				expect(error.cause).toBeInstanceOf(UpstreamFailure);
				expect(Buffer.byteLength(error.detail ?? "")).toBeLessThanOrEqual(2048);
			}),
		);
	});

	it("becomes an error of the closed set: any bytes as details, any debug object", () => {
		const debugLike = fc.record(
			{
				error: fc.oneof(fc.constantFrom("ERROR_OPENAI", "toString", "__proto__", 57), fc.jsonValue()),
				details: fc.oneof(
					fc.record({ title: fc.jsonValue(), isRetryable: fc.jsonValue(), additionalInfo: fc.jsonValue() }),
					fc.jsonValue(),
				),
			},
			{ requiredKeys: [] },
		);
		fc.assert(
			fc.property(fc.constantFrom(...RPC_CODES), fc.uint8Array(), debugLike, (code, value, debug) => {
				const details = [{ type: "aiserver.v1.ErrorDetails", value, debug }];
				expect(decodeRpcError({ code, message: "", details }).status).toBeGreaterThanOrEqual(400);
			}),
			{ numRuns: 500 },
		);
	});
});
