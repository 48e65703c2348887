import { setImmediate as immediate, setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { Fault } from "../faults/fault.ts";
import type { FaultPlan } from "../faults/plan.ts";
import { type FaultTarget, strike, strikeHeaders } from "../faults/strike.ts";
import type { Exchange } from "../http/exchange.ts";
import { encodeEnvelope, FLAG } from "./envelope.ts";
import { endStreamPayload, grpcWebTrailers, type RpcFailure } from "./failure.ts";
import { type Framing, streamContentType } from "./framing.ts";

export interface StreamSettings {
	faults: FaultPlan;
	/** Compress messages of at least this many bytes, where the client takes gzip. */
	gzipFrom: number;
}

/** Translates a message into the form that the client reads. */
type Encode = (payload: Uint8Array) => Uint8Array;

/** The bytes of an `AgentServerMessage` with a heartbeat, which the fault heartbeats-only lets through. */
const AGENT_HEARTBEAT = Buffer.from("0a026a00", "hex");

const CODING_HEADERS: Readonly<Record<string, string>> = {
	connect: "connect-content-encoding",
	"connect-json": "connect-content-encoding",
	"grpc-web": "grpc-encoding",
};

/**
 * The response of a streaming RPC: envelopes, exactly one end, and every injected fault. docs/protocol.md, Framing and
 * The end of a run; "Streaming-Response" in https://connectrpc.com/docs/protocol.
 */
export class ResponseStream implements FaultTarget {
	readonly exchange: Exchange;
	/** Names of the faults that have struck. */
	readonly struck = new Set<string>();
	readonly #framing: Framing;
	readonly rpc: string;
	readonly #faults: FaultPlan;
	readonly #gzipFrom: number;
	#frames = 0;
	#bytes = 0;
	#ended = false;
	#stalled = false;
	#heartbeatsOnly = false;
	#codingName: string;
	#encode: Encode | undefined;
	/** The last of a slowed stream's writes, which wait for each other. */
	#tail: Promise<void> | undefined;
	#slice = 0;
	#latency = 0;
	#bandwidth = 0;
	#held: Uint8Array[] | undefined;
	#full: Promise<void> | undefined;
	/** Ends the wait for the client to read. */
	#room = () => {};

	private constructor(exchange: Exchange, framing: Framing, rpc: string, settings: StreamSettings) {
		this.exchange = exchange;
		this.#framing = framing;
		this.rpc = rpc;
		this.#faults = settings.faults;
		exchange.clientGone.addEventListener("abort", () => this.#room(), { once: true });
		const offered = framing === "grpc-web" ? "grpc-accept-encoding" : "connect-accept-encoding";
		const takesGzip = (exchange.headers[offered] ?? "").includes("gzip");
		this.#gzipFrom = takesGzip ? settings.gzipFrom : Number.POSITIVE_INFINITY;
		this.#codingName = takesGzip ? "gzip" : "";
	}

	/** Sends the response headers. Returns undefined if a fault has sent a response of its own. */
	static open(
		exchange: Exchange,
		framing: Framing,
		rpc: string,
		settings: StreamSettings,
		encode?: Encode,
	): ResponseStream | undefined {
		const stream = new ResponseStream(exchange, framing, rpc, settings);
		stream.#encode = encode;
		const contentType = streamContentType(framing) ?? "";
		const fault = settings.faults.empty ? undefined : settings.faults.take("headers", rpc);
		if (fault && strikeHeaders(exchange, fault, contentType)) return undefined;
		if (fault?.name === "unknown-coding") stream.#codingName = "zstd";
		exchange.begin(200, {
			"content-type": contentType,
			...(stream.#codingName && { [CODING_HEADERS[framing]!]: stream.#codingName }),
		});
		if (fault?.name === "trailers-only") stream.endWith('{"error":{"code":"unavailable","message":"trailers only"}}');
		return stream;
	}

	get ended(): boolean {
		return this.#ended || this.exchange.ended;
	}

	send(message: Uint8Array): void {
		if (this.#ended) return;
		const payload = this.#encode?.(message) ?? message;
		const isHeartbeat = AGENT_HEARTBEAT.equals(message);
		this.#frames += 1;
		if (!this.#faults.empty) {
			const fault = this.#faults.take("frame", this.rpc, this.#frames);
			if (fault && this.#strike(fault, payload)) return;
		}
		if (this.#codingName === "zstd") this.frame(FLAG.compressed, payload, isHeartbeat);
		else if (payload.length >= this.#gzipFrom) this.frame(FLAG.compressed, gzipSync(payload), isHeartbeat);
		else this.frame(0, payload, isHeartbeat);
	}

	end(failure?: RpcFailure): void {
		if (this.#ended) return;
		if (!this.#faults.empty) {
			const fault = this.#faults.take("end", this.rpc);
			if (fault && this.#strike(fault)) return;
		}
		this.fail(failure);
	}

	/** Resolves when the client has read enough for more to be written. */
	async ready(): Promise<void> {
		await this.#full;
	}

	fail(failure?: RpcFailure): void {
		if (this.#framing === "grpc-web") this.frame(FLAG.grpcWebTrailer, grpcWebTrailers(failure));
		else this.frame(FLAG.endStream, endStreamPayload(failure));
		if (!this.#faults.empty) {
			const fault = this.#faults.take("after-end", this.rpc);
			if (fault && this.#strike(fault)) {
				this.#ended = true;
				return;
			}
		}
		this.endBare();
	}

	endWith(payload: string): void {
		this.frame(FLAG.endStream, Buffer.from(payload));
		this.endBare();
	}

	endBare(trailers?: Record<string, string>): void {
		this.#ended = true;
		this.#room();
		if (this.#stalled || this.#heartbeatsOnly) return;
		const finish = () => {
			if (this.#held) this.exchange.write(Buffer.concat(this.#held));
			this.exchange.end(trailers);
		};
		if (this.#tail) this.#tail.then(finish);
		else finish();
	}

	frame(flags: number, payload: Uint8Array, isHeartbeat = AGENT_HEARTBEAT.equals(payload)): void {
		if (this.#heartbeatsOnly && !isHeartbeat) return;
		this.bytes(encodeEnvelope(flags, payload));
	}

	stall(): void {
		this.#stalled = true;
	}

	heartbeatsOnly(): void {
		this.#heartbeatsOnly = true;
	}

	slow(mode: Parameters<FaultTarget["slow"]>[0]): void {
		this.#slice = mode.slice ?? this.#slice;
		this.#latency = mode.latency ?? this.#latency;
		this.#bandwidth = mode.bandwidth ?? this.#bandwidth;
		if (mode.coalesce) this.#held = [];
		this.#tail ??= Promise.resolve();
		if (mode.pause) this.#tail = this.#tail.then(() => sleep(mode.pause));
	}

	bytes(raw: Uint8Array): void {
		if (this.#stalled) return;
		if (this.#held) this.#held.push(raw);
		else if (this.#tail)
			this.#tail = this.#tail.then(() => this.#writeSlowly(raw)).catch(() => this.exchange.cutConnection());
		else this.#write(raw);
	}

	async #writeSlowly(raw: Uint8Array): Promise<void> {
		const size = this.#slice || raw.length || 1;
		if (this.#latency) await sleep(this.#latency);
		for (let start = 0; start < raw.length; start += size) {
			const piece = raw.subarray(start, start + size);
			if (this.#bandwidth) await sleep((piece.length / this.#bandwidth) * 1000);
			this.#write(piece);
			await immediate();
		}
	}

	#write(raw: Uint8Array): void {
		// The client will never read it, so a write would wait for ever.
		if (this.exchange.clientGone.aborted) return;
		let bytes = raw;
		if (!this.#faults.empty) {
			const cut = this.#byteFault(raw.length);
			if (cut !== undefined) {
				bytes = raw.subarray(0, cut.keep);
				if (bytes.length > 0) this.exchange.write(bytes);
				this.#strike(cut.fault, bytes);
				this.#stalled = true;
				return;
			}
		}
		this.#bytes += bytes.length;
		if (!this.exchange.write(bytes) && !this.#full && !this.#ended) {
			this.#full = new Promise((resolve) => {
				this.#room = () => {
					this.#full = undefined;
					resolve();
				};
				this.exchange.onDrain(this.#room);
			});
		}
	}

	#strike(fault: Fault, payload: Uint8Array = new Uint8Array()): boolean {
		this.struck.add(fault.name);
		return strike(this, fault, payload);
	}

	/** A fault that strikes within the next `length` bytes, and how many of them are still sent. */
	#byteFault(length: number) {
		for (let offset = 1; offset <= length; offset++) {
			const fault = this.#faults.take("byte", this.rpc, this.#bytes + offset);
			if (fault) return { fault, keep: offset };
		}
		return undefined;
	}
}
