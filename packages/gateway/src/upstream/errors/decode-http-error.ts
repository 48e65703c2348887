import { GatewayError } from "../../turn/error.ts";
import { inflate } from "../../wire/framing/compression.ts";
import { parseErrorBody, RPC_CODES } from "../../wire/framing/end-stream.ts";
import type { HeaderMap } from "../../wire/stream.ts";
import { cleanText } from "./clean-text.ts";
import { decodeRpcError, type ErrorMetadata } from "./decode-rpc-error.ts";
import type { ErrorContext } from "./error-cause.ts";
import { WrongHost } from "./host-fault.ts";
import { causeOfStatus } from "./http-statuses.ts";
import { retryAfter } from "./retry-after.ts";
import { UpstreamFailure } from "./upstream-failure.ts";

/** A response other than the expected one. The body may be truncated. */
export interface HttpFailure {
	status: number;
	headers: HeaderMap;
	body: Uint8Array;
}

const CODES: ReadonlySet<unknown> = new Set(RPC_CODES);
const SHORT = 300;
/** Statuses with which a server that does not know Connect says that it has no such method. */
const UNSERVED = new Set([404, 405, 501]);

/**
 * Decodes any response other than the expected one: a Connect error, a REST API error, a proxy's page. Never throws.
 */
export function decodeHttpError(failure: HttpFailure, context: ErrorContext = {}): GatewayError {
	const body = plainBody(failure);
	const json = parseJson(body);
	if (CODES.has(json?.code)) return decodeRpcError(parseErrorBody(body), metadataOf(failure.headers), context);
	const { kind, sentence, nextStep } = causeOfStatus(failure.status);
	const text = json ? restMessage(json) : pageText(body);
	return new GatewayError(kind, sentence, {
		detail: text ? `HTTP ${failure.status}: ${text}` : `HTTP ${failure.status}`,
		nextStep,
		retryAfterSeconds: retryAfter(kind, first(failure.headers["retry-after"])),
		...causeOf(failure),
	});
}

/** What the status says about the host, if anything. */
function causeOf({ status }: HttpFailure): { cause?: Error } {
	if (UNSERVED.has(status)) return { cause: new UpstreamFailure("unimplemented", undefined, false) };
	// A redirect, a misdirected request, or a page where messages were expected.
	if (status === 200 || (status >= 300 && status < 400) || status === 421) {
		return { cause: new WrongHost(`HTTP ${status}`) };
	}
	return {};
}

/** Headers in the form of end-of-stream metadata. */
function metadataOf(headers: HeaderMap): ErrorMetadata {
	const metadata: Record<string, string[]> = Object.create(null);
	for (const [name, value] of Object.entries(headers)) {
		if (value !== undefined) metadata[name] = typeof value === "string" ? [value] : value;
	}
	return metadata;
}

function plainBody({ headers, body }: HttpFailure): Uint8Array {
	try {
		return inflate(body, first(headers["content-encoding"]));
	} catch {
		return new Uint8Array();
	}
}

function parseJson(body: Uint8Array): Record<string, unknown> | undefined {
	try {
		const json: unknown = JSON.parse(Buffer.from(body).toString("utf8"));
		return typeof json === "object" && json !== null ? (json as Record<string, unknown>) : undefined;
	} catch {
		return undefined;
	}
}

/** `{"error":{"message"}}`, or the inner object alone, or `{"error":"…"}`. */
function restMessage(json: Record<string, unknown>): string {
	const inner = typeof json.error === "object" && json.error !== null ? (json.error as typeof json) : json;
	const text = [inner.message, inner.error, inner.code].find((part) => typeof part === "string");
	return cleanText((text as string | undefined) ?? "");
}

/** The title of an HTML page, or the start of a plain text, since markup is of no use to a person. */
function pageText(body: Uint8Array): string {
	const text = Buffer.from(body.subarray(0, 16_384)).toString("utf8");
	if (!/^\s*</.test(text)) return cleanText(text, SHORT);
	const title = /<title[^>]*>([^<]*)<\/title>/i.exec(text)?.[1] ?? "";
	return cleanText(title, SHORT);
}

function first(value: string | readonly string[] | undefined): string | undefined {
	return typeof value === "string" ? value : value?.[0];
}
