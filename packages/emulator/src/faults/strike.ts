import { constants } from "node:http2";
import { gzipSync } from "node:zlib";
import type { Exchange } from "../http/exchange.ts";
import { FLAG } from "../rpc/envelope.ts";
import { CODES, type Code, type ErrorName, RpcFailure } from "../rpc/failure.ts";
import * as agentFrames from "./agent-frames.ts";
import type { Fault } from "./fault.ts";
import { idempotentUnifiedFrames, legacyFrames, plainUnifiedFrames, unifiedFrames } from "./older-frames.ts";
import type { ProtocolFrames } from "./protocol-frames.ts";

/** What a fault may do to a response stream. */
export interface FaultTarget {
	readonly exchange: Exchange;
	readonly rpc: string;
	frame(flags: number, payload: Uint8Array): void;
	bytes(raw: Uint8Array): void;
	stall(): void;
	heartbeatsOnly(): void;
	slow(mode: { slice?: number; latency?: number; bandwidth?: number; pause?: number; coalesce?: boolean }): void;
	fail(failure: RpcFailure): void;
	/** Sends an end-of-stream message with exactly this payload. */
	endWith(payload: string): void;
	/** Ends the body without an end-of-stream message, optionally with HTTP trailers. */
	endBare(trailers?: Record<string, string>): void;
}

/** Returns true if the frame that it struck must not be sent any more. */
type Strike = (target: FaultTarget, fault: Fault, payload: Uint8Array) => boolean;

const number = (fault: Fault, fallback: number) => (fault.value === undefined ? fallback : Number(fault.value));
const insert =
	(make: (frames: ProtocolFrames, fault: Fault) => Uint8Array[]): Strike =>
	(target, fault) => {
		for (const message of make(framesOf(target.rpc), fault)) target.frame(0, message);
		return false;
	};

/** By the beginning of the RPC's name. All other RPCs have the messages of the agent protocol. */
const FRAMES: readonly (readonly [string, ProtocolFrames])[] = [
	["StreamUnifiedChatWithToolsIdempotent", idempotentUnifiedFrames],
	["StreamUnifiedChatWithTools", unifiedFrames],
	["StreamUnifiedChat", plainUnifiedFrames],
	["StreamChat", legacyFrames],
];

function framesOf(rpc: string): ProtocolFrames {
	return FRAMES.find(([name]) => rpc.startsWith(name))?.[1] ?? agentFrames;
}

const STRIKES: Record<string, Strike> = {
	reset: (target, fault) => done(() => target.exchange.reset(http2Code(fault.value ?? "INTERNAL_ERROR"))),
	cut: (target) => done(() => target.exchange.cutConnection()),
	goaway: (target, fault) => {
		target.exchange.goaway(http2Code(fault.value ?? "NO_ERROR"));
		return false;
	},
	"goaway-refuse": (target, fault) => {
		target.exchange.goawayRefusing(http2Code(fault.value ?? "NO_ERROR"));
		return true;
	},
	stall: (target) => done(() => target.stall()),
	linger: () => true,
	"heartbeats-only": (target) => done(() => target.heartbeatsOnly()),
	delay: (target, fault) => slow(target, { pause: number(fault, 1000) }),
	latency: (target, fault) => slow(target, { latency: number(fault, 200) }),
	bandwidth: (target, fault) => slow(target, { bandwidth: number(fault, 8000) }),
	slice: (target, fault) => slow(target, { slice: number(fault, 1) }),
	coalesce: (target) => slow(target, { coalesce: true }),
	"empty-frame": insert((_frames, fault) => Array.from({ length: number(fault, 1) }, () => new Uint8Array())),
	"huge-length": (target, fault) =>
		done(() => {
			const header = Buffer.alloc(9);
			header.writeUInt32BE(number(fault, 0xffffffff) >>> 0, 1);
			target.bytes(header);
			target.stall();
		}),
	truncate: (target, _fault, payload) =>
		done(() => {
			const header = Buffer.alloc(5);
			header.writeUInt32BE(payload.length + 10, 1);
			target.bytes(Buffer.concat([header, payload.subarray(0, Math.ceil(payload.length / 2))]));
			target.endBare();
		}),
	gzip: (target, _fault, payload) => done(() => target.frame(FLAG.compressed, gzipSync(payload))),
	"false-compressed": (target, _fault, payload) => done(() => target.frame(FLAG.compressed, payload)),
	bomb: (target, fault) => done(() => target.frame(FLAG.compressed, gzipSync(Buffer.alloc(number(fault, 64) << 20)))),
	"reserved-flags": (target, fault, payload) => done(() => target.frame(number(fault, 0x40), payload)),
	"split-code-point": insert((frames) => frames.splitCodePoint()),
	"bad-utf8": insert((frames) => frames.badUtf8()),
	"no-end-stream": (target) => done(() => target.endBare()),
	"double-end": (target) =>
		done(() => {
			target.frame(FLAG.endStream, Buffer.from("{}"));
			target.frame(FLAG.endStream, Buffer.from("{}"));
			target.endBare();
		}),
	"data-after-end": (target) =>
		done(() => {
			target.frame(FLAG.endStream, Buffer.from("{}"));
			for (const message of framesOf(target.rpc).lateText()) target.frame(0, message);
			target.endBare();
		}),
	error: (target, fault) => done(() => target.fail(failureNamed(fault.value ?? "unavailable"))),
	"bad-error": (target, fault) => done(() => target.endWith(badError(fault.value ?? "not-json"))),
	"error-trailers": (target, fault) => done(() => target.endWith(JSON.stringify(errorTrailers(fault)))),
	"http-trailers": (target, fault) => done(() => target.endBare(errorTrailers(fault))),
	"unknown-update": insert((frames) => frames.unknownUpdate()),
	"unknown-exec": insert((frames) => frames.unknownExec()),
	"unknown-query": insert((frames) => frames.unknownQuery()),
	"unknown-message": insert((frames) => frames.unknownMessage()),
	"unknown-enum": insert((frames) => frames.unknownEnum()),
	"new-fields": insert((frames) => frames.newFields()),
	flood: insert((frames, fault) => frames.flood(number(fault, 100_000))),
};

function done(action: () => void): true {
	action();
	return true;
}

function slow(target: FaultTarget, mode: Parameters<FaultTarget["slow"]>[0]): false {
	target.slow(mode);
	return false;
}

/** Applies a fault to the current frame. */
export function strike(target: FaultTarget, fault: Fault, payload: Uint8Array): boolean {
	const apply = STRIKES[fault.name];
	if (!apply) throw new Error(`fault "${fault.name}" is not for streams`);
	return apply(target, fault, payload);
}

/** Faults in place of the response headers. Returns false if the stream continues as usual. */
export function strikeHeaders(exchange: Exchange, fault: Fault, contentType: string): boolean {
	switch (fault.name) {
		case "status":
			exchange.text(Number(fault.value ?? 503), `status ${fault.value ?? 503} by fault\n`);
			return true;
		case "html":
			exchange.text(Number(fault.value ?? 502), "<!doctype html><title>Bad gateway</title><h1>502</h1>", "text/html");
			return true;
		case "redirect":
			exchange.send(302, { location: fault.value ?? "http://127.0.0.1:9/elsewhere" });
			return true;
		case "wrong-type":
			exchange.text(200, "<!doctype html><title>Sign in</title>", "text/html");
			return true;
		case "hollow":
			exchange.send(200, { "content-type": contentType });
			return true;
		case "http1-required":
			exchange.reset(constants.NGHTTP2_HTTP_1_1_REQUIRED);
			return true;
		case "reset":
			exchange.reset(http2Code(fault.value ?? "INTERNAL_ERROR"));
			return true;
		case "goaway":
			exchange.goaway(http2Code(fault.value ?? "NO_ERROR"));
			return false;
		case "goaway-refuse":
			exchange.goawayRefusing(http2Code(fault.value ?? "NO_ERROR"));
			return true;
		case "cut":
			exchange.cutConnection();
			return true;
		case "stall":
			return true;
		default:
			return false;
	}
}

function http2Code(name: string): number {
	const code = (constants as unknown as Record<string, number>)[`NGHTTP2_${name.toUpperCase()}`];
	if (code === undefined) throw new Error(`"${name}" is not an HTTP/2 error code`);
	return code;
}

/** `unavailable` is a Connect code, `ERROR_PRO_USER_USAGE_LIMIT` (with or without ERROR_) a kind of ErrorDetails. */
function failureNamed(name: string): RpcFailure {
	if (name in CODES) return new RpcFailure(name as Code, "Error");
	const error = (name.startsWith("ERROR_") ? name : `ERROR_${name.toUpperCase()}`) as ErrorName;
	return new RpcFailure("resource_exhausted", "Error", { error, title: "By fault", detail: `The fault ${error}.` });
}

function errorTrailers({ value = "unavailable" }: Fault): Record<string, string> {
	return { "connect-error-code": value, "connect-error-message": "named in trailers" };
}

function badError(kind: string): string {
	const variants: Record<string, unknown> = {
		"null-code": { error: { code: null, message: "null code" } },
		"unknown-code": { error: { code: "brand_new_code", message: "unknown code" } },
		"no-message": { error: { code: "internal" } },
		"bad-details": { error: { code: "internal", message: "bad details", details: [{ type: 7, value: "%%%" }, null] } },
		"long-message": { error: { code: "internal", message: "x".repeat(1 << 20) } },
	};
	return kind in variants ? JSON.stringify(variants[kind]) : "{not json";
}
