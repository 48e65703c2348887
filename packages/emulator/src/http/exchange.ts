import type { ServerResponse } from "node:http";
import { constants, type Http2ServerResponse } from "node:http2";
import { dropConnection } from "../listen/drop-connection.ts";
import type { RawRequest, RawResponse } from "../listen/listener.ts";

const MAX_BODY = 64 << 20;

/** One request and its response, the same for HTTP/1.1 and HTTP/2. */
export class Exchange {
	readonly method: string;
	readonly path: string;
	readonly query: URLSearchParams;
	readonly headers: Record<string, string>;
	readonly httpVersion: "1.1" | "2.0";
	readonly #request: RawRequest;
	readonly #response: RawResponse;
	readonly #gone = new AbortController();
	#closed = false;

	constructor(request: RawRequest, response: RawResponse) {
		this.#request = request;
		this.#response = response;
		const url = new URL(request.url ?? "/", "http://emulator");
		this.method = request.method ?? "GET";
		this.path = url.pathname;
		this.query = url.searchParams;
		this.httpVersion = request.httpVersionMajor === 2 ? "2.0" : "1.1";
		this.headers = Object.fromEntries(
			Object.entries(request.headers).map(([name, value]) => [
				name,
				Array.isArray(value) ? value.join(", ") : `${value}`,
			]),
		);
		// A close before we have ended the response means that the client has left. `writableFinished` cannot say so for
		// HTTP/2, where it is true after a reset by the peer; `writableEnded` cannot for HTTP/1.1, where it may be unsent.
		response.on("close", () => {
			this.#closed = true;
			const complete = this.httpVersion === "2.0" ? response.writableEnded : response.writableFinished;
			if (!complete) this.#gone.abort();
		});
		response.on("error", () => this.#gone.abort());
		request.on("error", () => {});
	}

	/** Calls the listener once the exchange is over; on HTTP/2, once both halves of its stream are closed. */
	onClosed(listener: () => void): void {
		if (this.#closed) listener();
		else this.#response.on("close", listener);
	}

	/** Aborted if the client leaves before the response is complete. */
	get clientGone(): AbortSignal {
		return this.#gone.signal;
	}

	async body(): Promise<Buffer> {
		const chunks: Buffer[] = [];
		let size = 0;
		for await (const chunk of this.#request as AsyncIterable<Buffer>) {
			size += chunk.length;
			if (size > MAX_BODY) throw new Error(`request body over ${MAX_BODY} bytes`);
			chunks.push(chunk);
		}
		return Buffer.concat(chunks);
	}

	onData(listener: (chunk: Buffer) => void): void {
		this.#request.on("data", listener);
	}

	onRequestEnd(listener: () => void): void {
		this.#request.on("end", listener);
	}

	send(status: number, headers: Record<string, string>, body: string | Uint8Array = ""): void {
		if (this.#response.headersSent || this.#response.destroyed) return;
		const bytes = typeof body === "string" ? Buffer.from(body) : body;
		this.#writeHead(status, { ...headers, "content-length": String(bytes.length) });
		this.#response.end(bytes);
	}

	json(status: number, value: unknown, headers: Record<string, string> = {}): void {
		this.send(status, { "content-type": "application/json", ...headers }, JSON.stringify(value));
	}

	text(status: number, body: string, contentType = "text/plain; charset=utf-8"): void {
		this.send(status, { "content-type": contentType }, body);
	}

	begin(status: number, headers: Record<string, string>): void {
		this.#writeHead(status, headers);
		(this.#response as ServerResponse).flushHeaders();
	}

	write(bytes: Uint8Array): boolean {
		if (this.#response.destroyed || this.#response.writableEnded) return true;
		return (this.#response as ServerResponse).write(bytes);
	}

	onDrain(listener: () => void): void {
		this.#response.once("drain", listener);
	}

	end(trailers: Record<string, string> = {}): void {
		if (this.#response.writableEnded) return;
		(this.#response as ServerResponse).addTrailers(trailers);
		this.#response.end();
	}

	get ended(): boolean {
		return this.#response.writableEnded || this.#response.destroyed;
	}

	/** RST_STREAM with the given code (RFC 9113, 6.4). HTTP/1.1 has no such thing, so there the connection is cut. */
	reset(code: number = constants.NGHTTP2_INTERNAL_ERROR): void {
		const stream = (this.#response as Http2ServerResponse).stream;
		if (this.httpVersion === "2.0" && stream) stream.close(code);
		else this.cutConnection();
	}

	/** Cuts the connection once everything that was written has been sent. */
	cutConnectionAfterWrites(): void {
		(this.#response as ServerResponse).write(Buffer.alloc(0), () => setImmediate(() => this.cutConnection()));
	}

	/** Cuts the TCP connection without ending the response or the session. */
	cutConnection(): void {
		const stream = (this.#response as Http2ServerResponse).stream;
		const session = this.httpVersion === "2.0" ? stream?.session : undefined;
		// The socket of an HTTP/2 session cannot be reached directly; destroying the session destroys it.
		if (session) session.destroy();
		else dropConnection(this.#request.socket);
	}

	/** GOAWAY on the connection (RFC 9113, 6.8). Open streams continue. */
	goaway(code: number): void {
		const session = (this.#response as Http2ServerResponse).stream?.session;
		if (this.httpVersion === "2.0" && session) session.goaway(code);
		else this.cutConnection();
	}

	/** GOAWAY with a last stream id below this stream's, which says that it was not processed. */
	goawayRefusing(code: number): void {
		const stream = (this.#response as Http2ServerResponse).stream;
		if (this.httpVersion !== "2.0" || !stream?.session) return this.cutConnection();
		// Node does not send 0 as the last stream id. For the first stream REFUSED_STREAM says the same.
		stream.session.goaway(code, (stream.id ?? 1) - 2);
		if (stream.id === 1) stream.close(constants.NGHTTP2_REFUSED_STREAM);
	}

	#writeHead(status: number, headers: Record<string, string>): void {
		// Without a status message: HTTP/2 has none, and Node warns about it.
		(this.#response as ServerResponse).writeHead(status, headers);
	}
}
