import { EventEmitter } from "node:events";
import type { OutgoingHttpHeaders } from "node:http";
import type { SocketForm } from "../../dialects/dialect.ts";
import type { ReplyOutlet } from "../../server/reply-outlet.ts";
import type { WebSocketLink } from "../../server/websocket/link.ts";
import { EventMessages } from "./event-messages.ts";

/**
 * One reply on a WebSocket, written as if it were a response: each event of its stream becomes a message, an error
 * becomes one, and a comment becomes a ping. The connection stays open when the reply has ended.
 */
export class SocketOutlet extends EventEmitter implements ReplyOutlet {
	readonly #link: WebSocketLink;
	readonly #errorMessage: SocketForm["errorMessage"];
	readonly #events = new EventMessages();
	readonly #body: string[] = [];
	#status: number | undefined;
	#headers: OutgoingHttpHeaders = {};
	#isEnded = false;
	#isClosed = false;
	/** How many characters were sent. */
	sent = 0;

	constructor(link: WebSocketLink, errorMessage: SocketForm["errorMessage"]) {
		super();
		this.#link = link;
		this.#errorMessage = errorMessage;
	}

	get headersSent(): boolean {
		return this.#status !== undefined;
	}

	get writableEnded(): boolean {
		return this.#isEnded;
	}

	get destroyed(): boolean {
		return this.#isClosed;
	}

	writeHead(status: number, headers: OutgoingHttpHeaders): void {
		this.#status = status;
		this.#headers = headers;
	}

	/** There is nothing to send before the first event. */
	flushHeaders(): void {}

	write(bytes: string | Uint8Array): boolean {
		if (this.#isClosed) return true;
		const text = typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("utf8");
		if (this.#status !== 200) {
			this.#body.push(text);
			return true;
		}
		if (text.startsWith(":")) {
			this.#link.ping();
			return true;
		}
		let isRead = true;
		for (const message of this.#events.add(text)) {
			this.sent += message.length;
			isRead = this.#link.send(message);
		}
		return isRead;
	}

	end(bytes?: string | Uint8Array): void {
		if (this.#isEnded || this.#isClosed) return;
		if (bytes !== undefined) this.write(bytes);
		this.#isEnded = true;
		if (this.#status !== 200) this.#sendError();
		this.closed();
	}

	/** The reply cannot be finished, and there is no other way to say so. */
	destroy(): void {
		this.#link.destroy();
	}

	/** Nothing can be written any more. */
	closed(): void {
		if (this.#isClosed) return;
		this.#isClosed = true;
		this.emit("close");
	}

	#sendError(): void {
		const { "content-length": _length, "content-type": _type, ...headers } = this.#headers;
		const body = JSON.parse(this.#body.join(""));
		this.#link.send(JSON.stringify(this.#errorMessage({ status: this.#status ?? 500, headers, body })));
	}
}
