import type { ServerResponse } from "node:http";
import { constants, type Http2ServerResponse } from "node:http2";
import { dropConnection } from "../listen/drop-connection.ts";
import type { RawRequest, RawResponse } from "../listen/listener.ts";

const MAX_BODY = 64 << 20;

/** One request and its answer, the same for HTTP/1.1 and HTTP/2. */
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
		// A close before our own end means that the client has left. After a reset by the peer HTTP/2 calls the response
		// finished; over HTTP/1.1 a response that was ended may still be unsent.
		response.on("close", () => {
			this.#closed = true;
			const complete = this.httpVersion === "2.0" ? response.writableEnded : response.writableFinished;
			if (!complete) this.#gone.abort();
		});
		response.on("error", () => this.#gone.abort());
		request.on("error", () => {});
	}

	/** Nothing of the exchange is left: on HTTP/2 both halves of its stream are closed. */
	onClosed(listener: () => void): void {
		if (this.#closed) listener();
		else this.#response.on("close", listener);
	}

	/** Aborted when the client leaves before the answer is complete. */
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

	/** RST_STREAM with the given code; on HTTP/1.1, which has no such thing, the connection goes. */
	reset(code: number = constants.NGHTTP2_INTERNAL_ERROR): void {
		const stream = (this.#response as Http2ServerResponse).stream;
		if (this.httpVersion === "2.0" && stream) stream.close(code);
		else this.cutConnection();
	}

	/** Cuts the connection once all that was written has left: a drop, not a loss of what came before it. */
	cutConnectionAfterWrites(): void {
		(this.#response as ServerResponse).write(Buffer.alloc(0), () => setImmediate(() => this.cutConnection()));
	}

	/** Ends the TCP connection without any goodbye. */
	cutConnection(): void {
		const stream = (this.#response as Http2ServerResponse).stream;
		const session = this.httpVersion === "2.0" ? stream?.session : undefined;
		// An HTTP/2 session hands out a guarded proxy of its socket; destroying the session is the way in.
		if (session) session.destroy();
		else dropConnection(this.#request.socket);
	}

	/** GOAWAY on the connection. Streams that are open go on. */
	goaway(code: number): void {
		const session = (this.#response as Http2ServerResponse).stream?.session;
		if (this.httpVersion === "2.0" && session) session.goaway(code);
		else this.cutConnection();
	}

	/** GOAWAY that says this stream was not processed. */
	goawayRefusing(code: number): void {
		const stream = (this.#response as Http2ServerResponse).stream;
		if (this.httpVersion !== "2.0" || !stream?.session) return this.cutConnection();
		// Node sends no last-stream-id of 0; for the first stream a refusal says the same.
		stream.session.goaway(code, (stream.id ?? 1) - 2);
		if (stream.id === 1) stream.close(constants.NGHTTP2_REFUSED_STREAM);
	}

	#writeHead(status: number, headers: Record<string, string>): void {
		// HTTP/2 knows no connection-specific headers and warns about a status message.
		(this.#response as ServerResponse).writeHead(status, headers);
	}
}
