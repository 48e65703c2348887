// An HTTP/1.1 client that sends whatever bytes it is given, and reads answers strictly.
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface RawResponse {
	status: number;
	/** By lower-case name; of repeated ones all, joined by a comma. */
	headers: Record<string, string>;
	body: string;
}

/** One connection, for as many requests as a test wants on it. */
export class RawClient {
	readonly socket: Socket;
	#bytes = Buffer.alloc(0);
	#ended = false;
	#wake: () => void = () => {};

	static async open(port: number, host = "127.0.0.1"): Promise<RawClient> {
		const socket = connect({ port, host, noDelay: true, allowHalfOpen: true });
		await once(socket, "connect");
		return new RawClient(socket);
	}

	private constructor(socket: Socket) {
		this.socket = socket;
		socket.on("data", (bytes: Buffer) => {
			this.#bytes = Buffer.concat([this.#bytes, bytes]);
			this.#wake();
		});
		for (const event of ["end", "close", "error"]) {
			socket.on(event, () => {
				this.#ended = true;
				this.#wake();
			});
		}
	}

	send(bytes: string | Uint8Array): void {
		this.socket.write(bytes);
	}

	/** Whether the gateway has ended its side. */
	get ended(): boolean {
		return this.#ended;
	}

	/** Bytes that arrived and were not read yet. */
	get unread(): string {
		return this.#bytes.toString("latin1");
	}

	/** Waits until something that fits has arrived. It stays unread. */
	async sees(pattern: RegExp): Promise<void> {
		while (!pattern.test(this.unread)) await this.#more();
	}

	/** Resolves when the gateway has ended its side. */
	async end(): Promise<void> {
		while (!this.#ended) await this.#news();
	}

	/** The client's process dies: no goodbye. */
	reset(): void {
		this.socket.resetAndDestroy();
	}

	close(): void {
		this.socket.destroy();
	}

	/** The next answer on the connection, which to HEAD has no body. Throws where the connection ends before it. */
	async response(method = "GET"): Promise<RawResponse> {
		const head = await this.#until("\r\n\r\n");
		const [statusLine = "", ...lines] = head.split("\r\n");
		const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
		if (!status) throw new Error(`no status line: ${JSON.stringify(statusLine)}`);
		if (status === 100) return this.response(method);
		const headers: Record<string, string> = {};
		for (const line of lines) {
			const [, name = "", value = ""] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
			const key = name.toLowerCase();
			headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
		}
		const body = method === "HEAD" ? "" : (await this.#body(headers)).toString("utf8");
		return { status, headers, body };
	}

	async #body(headers: Record<string, string>): Promise<Buffer> {
		if (headers["transfer-encoding"] === "chunked") {
			const chunks: Buffer[] = [];
			for (;;) {
				const size = Number.parseInt(await this.#until("\r\n"), 16);
				if (Number.isNaN(size)) throw new Error("something else stands where a chunk should");
				chunks.push(await this.#take(size));
				if ((await this.#until("\r\n")) !== "") throw new Error("a chunk is longer than it says");
				if (size === 0) return Buffer.concat(chunks);
			}
		}
		return this.#take(Number(headers["content-length"] ?? 0));
	}

	async #until(mark: string): Promise<string> {
		for (;;) {
			const at = this.#bytes.indexOf(mark);
			if (at >= 0) {
				const text = (await this.#take(at)).toString("latin1");
				await this.#take(mark.length);
				return text;
			}
			await this.#more();
		}
	}

	async #take(count: number): Promise<Buffer> {
		while (this.#bytes.length < count) await this.#more();
		const taken = this.#bytes.subarray(0, count);
		this.#bytes = this.#bytes.subarray(count);
		return taken;
	}

	async #more(): Promise<void> {
		if (this.#ended) throw new Error(`the connection ended, with ${this.#bytes.length} bytes unread`);
		await this.#news();
	}

	#news(): Promise<void> {
		return new Promise((resolve) => {
			this.#wake = resolve;
		});
	}
}
