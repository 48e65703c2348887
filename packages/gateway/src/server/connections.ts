import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Clock } from "../time/clock.ts";
import { Roster } from "../time/roster.ts";
import { GatewayError } from "../turn/error.ts";
import type { ErrorKind } from "../turn/error-kinds.ts";
import { ConnectionRoom } from "./connection-room.ts";
import type { GatewayResponse } from "./gateway-response.ts";

type Socket = IncomingMessage["socket"];

export interface ConnectionsOptions {
	clock: Clock;
	/** How many connections may be open at once. */
	limit: number;
	/** Unwanted bodies up to this length are read to their end, so that the connection can be used again. */
	readOverBytes: number;
	/** Encodes an error for a connection whose request could not be parsed. */
	encodeError(error: GatewayError): { headers: Record<string, string>; body: object };
}

interface Refusal {
	status: number;
	kind: ErrorKind;
	nextStep?: string;
}

/** How long a client has to read a response that was sent before its request had ended. */
const LINGER_MS = 1_000;

const MALFORMED: Refusal = { status: 400, kind: "invalid-request" };
const REFUSALS: Record<string, Refusal> = {
	HPE_HEADER_OVERFLOW: { status: 431, kind: "too-large", nextStep: "Send fewer or shorter headers." },
	HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, kind: "too-large", nextStep: "Send the chunks without extensions." },
	ERR_HTTP_REQUEST_TIMEOUT: { status: 408, kind: "request-timeout" },
};

/** Ensures that, whatever a client sends, every response on its connection belongs to the right request. */
export class Connections {
	readonly #options: ConnectionsOptions;
	readonly #room: ConnectionRoom;
	readonly #unanswered = new WeakMap<Socket, Roster<GatewayResponse>>();

	constructor(options: ConnectionsOptions) {
		this.#options = options;
		const { clock, limit } = options;
		this.#room = new ConnectionRoom({ clock, limit, surplus: Math.ceil(limit / 2) });
	}

	/** A connection has been made. */
	open(socket: Socket): void {
		this.#room.enter(socket);
	}

	/** A request has begun. */
	begin({ socket }: IncomingMessage, response: GatewayResponse): void {
		this.#unansweredOn(socket).add(response);
		this.#room.busy(socket);
	}

	/** All of its response has been sent. */
	finished(request: IncomingMessage): void {
		this.#leaveUnread(request);
	}

	/** Its response has closed. */
	end({ socket }: IncomingMessage, response: GatewayResponse): void {
		const unanswered = this.#unansweredOn(socket);
		unanswered.delete(response);
		if (unanswered.size === 0) this.#room.idle(socket);
	}

	/** Nothing is under way on a connection that goes on as a WebSocket. */
	rest(socket: Socket): void {
		this.#room.idle(socket);
	}

	/** Something is under way on it. */
	wake(socket: Socket): void {
		this.#room.busy(socket);
	}

	/** Throws if the request came on a connection for which there is no room. */
	requireRoom({ socket }: IncomingMessage): void {
		if (!this.#room.isSurplus(socket)) return;
		throw new GatewayError("overloaded", "The gateway has no room for another connection.", {
			nextStep:
				"Wait and try again, or raise the setting maxConnections and the number of open files that the system allows.",
		});
	}

	/** Sends an error for bytes that the HTTP parser refused, so they never became a request. */
	refuse({ code = "" }: NodeJS.ErrnoException, socket: Socket): void {
		if (code === "ECONNRESET" || !socket.writable || this.#isAnswering(socket)) return void socket.destroy();
		const { status, kind, nextStep } = REFUSALS[code] ?? MALFORMED;
		const error = new GatewayError(kind, undefined, nextStep === undefined ? {} : { nextStep });
		const { headers, body } = this.#options.encodeError(error);
		const bytes = Buffer.from(JSON.stringify(body));
		const lines = Object.entries({
			...headers,
			"content-type": "application/json; charset=utf-8",
			"content-length": bytes.length,
			connection: "close",
		}).map(([name, value]) => `${name}: ${value}\r\n`);
		socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n`);
		socket.end(bytes);
		this.#cutSoon(socket);
	}

	#unansweredOn(socket: Socket): Roster<GatewayResponse> {
		const known = this.#unanswered.get(socket);
		if (known) return known;
		const unanswered = new Roster<GatewayResponse>();
		this.#unanswered.set(socket, unanswered);
		// Node only closes the response that is being sent. Those that wait behind it would wait forever.
		socket.once("close", () => {
			for (const response of [...unanswered]) if (!response.socket) response.destroy().emit("close");
		});
		return unanswered;
	}

	/** Whether an earlier request waits for its response. Anything sent now would be taken for a part of that. */
	#isAnswering(socket: Socket): boolean {
		return [...(this.#unanswered.get(socket) ?? [])].some(({ req }) => req.complete);
	}

	/** Leaves the rest of a long or endless body unread. Closes a little later, because the response could get lost. */
	#leaveUnread({ complete, headers, socket }: IncomingMessage): void {
		if (this.#room.isSurplus(socket)) return this.#cutSoon(socket);
		if (complete || Number(headers["content-length"] ?? Number.NaN) <= this.#options.readOverBytes) return;
		// Node starts to skip the body when the response has been sent.
		setImmediate(() => socket.pause());
		this.#cutSoon(socket);
	}

	#cutSoon(socket: Socket): void {
		this.#options.clock.after(LINGER_MS, () => socket.destroy());
	}
}
