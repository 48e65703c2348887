import type { IncomingMessage, ServerResponse } from "node:http";
import type { CapacityUser } from "../access/capacity.ts";
import type { Soon } from "../time/soon.ts";
import type { BodyRoom } from "./body-budget.ts";
import type { GatewayResponse } from "./gateway-response.ts";
import type { WebSocketLink } from "./websocket/link.ts";

/** Who sent a request. This is known before any route sees the request. */
export interface RequestCaller extends CapacityUser {
	/** Stable, and contains no secret. */
	id: string;
	/** The name of its key. */
	name?: string;
}

/** A request that has reached its route. */
export interface Call<Caller extends RequestCaller> {
	readonly caller: Caller;
	readonly request: IncomingMessage;
	/** The parts of the path that the route leaves open. */
	readonly params: Readonly<Record<string, string>>;
	/** The body, parsed. */
	readonly body: unknown;
	readonly response: ServerResponse;
	/** The id that the response's headers contain. */
	readonly requestId: string;
	/** How long it took from the request's head until it had its place, in milliseconds. */
	readonly admitMs: number;
	/** When its body had arrived, by the clock of the process. */
	readonly arrivedAt: number;
}

export type Handler<Caller extends RequestCaller> = (call: Call<Caller>) => Soon<void>;

export interface Route<Caller extends RequestCaller> {
	method: "GET" | "POST" | "DELETE" | "HEAD";
	path: string;
	/**
	 * Takes what the route needs before any of the body is read, or throws a `GatewayError` if that is used up. The
	 * returned function is called when the response closes, however it ends.
	 */
	enter?(caller: Caller): Soon<() => void>;
	handler: Handler<Caller>;
	/** Serves the path as a WebSocket, for clients that ask for one. */
	socket?(call: SocketCall<Caller>): void;
}

/** A WebSocket that was let in. */
export interface SocketCall<Caller extends RequestCaller> {
	/** The request that began it. */
	readonly request: IncomingMessage;
	readonly link: WebSocketLink;
	/** Finds out anew who the client is, or throws a `GatewayError`: a key may be revoked while the connection lasts. */
	admit(): Soon<Caller>;
	/** The value in a message, or a `GatewayError`. */
	parse(bytes: Uint8Array, caller: string): unknown;
	newRequestId(): string;
	/** A message got an error instead of what it asked for. Returns the error as a response would have it. */
	refuse(error: unknown, requestId: string, caller?: Caller): { status: number; headers: object; body: object };
	/** Nothing is under way, so that the connection may be closed if there is no room for another. */
	rest(): void;
	/** Something is under way. */
	wake(): void;
}

const NO_PARAMS: Call<RequestCaller>["params"] = Object.freeze({});

/** A request and its response, with everything that is known of them and held for them until the response closes. */
export class Exchange<Caller extends RequestCaller> {
	readonly request: IncomingMessage;
	readonly response: GatewayResponse;
	readonly requestId: string;
	/** Undefined until it is known, and for requests that need no key. */
	caller: Caller | undefined;
	params = NO_PARAMS;
	body: unknown;
	readonly #begunAt = performance.now();
	admitMs = 0;
	arrivedAt = 0;
	/** The room for its body, from before its first byte until it is parsed. */
	room: BodyRoom | undefined;
	/** Gives back what its route has taken. */
	leaveRoute: (() => void) | undefined;

	constructor(request: IncomingMessage, response: GatewayResponse, requestId: string) {
		this.request = request;
		this.response = response;
		this.requestId = requestId;
	}

	/** It has its place; what follows is its body. */
	admitted(): void {
		this.arrivedAt = performance.now();
		this.admitMs = this.arrivedAt - this.#begunAt;
	}

	/** Whether the response is already closed, so that nothing would be given back any more. */
	get isClosed(): boolean {
		return this.response.closed || this.response.destroyed;
	}

	releaseRoom(): void {
		this.room?.release();
		this.room = undefined;
	}

	/** Gives back everything that is held for the request. */
	close(): void {
		this.releaseRoom();
		this.leaveRoute?.();
		this.leaveRoute = undefined;
	}
}
