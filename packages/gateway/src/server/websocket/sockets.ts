import type { IncomingMessage, Server } from "node:http";
import type { Clock } from "../../time/clock.ts";
import type { Soon } from "../../time/soon.ts";
import type { Bodies } from "../bodies.ts";
import type { Connections } from "../connections.ts";
import type { Exchange, RequestCaller, Route, SocketCall } from "../exchange.ts";
import { GatewayResponse } from "../gateway-response.ts";
import type { Router } from "../router.ts";
import { CLOSE_CODES } from "./frame.ts";
import { handshake } from "./handshake.ts";
import { WebSocketLink } from "./link.ts";
import { Upgrades } from "./upgrades.ts";

type Socket = IncomingMessage["socket"];

type Refusal = ReturnType<SocketCall<RequestCaller>["refuse"]>;

export interface SocketsOptions<Caller extends RequestCaller> {
	router: Router<Route<Caller>>;
	connections: Connections;
	bodies: Bodies;
	limits: { bodyBytes: number; requestMs: number };
	clock: Clock;
	parse(bytes: Uint8Array, caller?: string): unknown;
	newRequestId(): string;
	admit(request: IncomingMessage): Soon<Caller>;
	/** The response to a request or message that failed. */
	errorOf(of: { request: IncomingMessage; requestId: string; caller: Caller | undefined }, error: unknown): Refusal;
	// What the server does for every request.
	begin(request: IncomingMessage, response: GatewayResponse): Exchange<Caller>;
	attempt(exchange: Exchange<Caller>, work: () => Soon<void>): void;
	respond(exchange: Exchange<Caller>, route: () => Soon<void>): Soon<void>;
}

/** Lets WebSockets in, through the same guards as requests, and hands them to their route. */
export class Sockets<Caller extends RequestCaller> {
	readonly #options: SocketsOptions<Caller>;
	readonly #upgrades: Upgrades;
	readonly #open = new Set<WebSocketLink>();

	constructor(options: SocketsOptions<Caller>) {
		this.#options = options;
		this.#upgrades = new Upgrades((request) => this.#routeOf(request) !== undefined);
	}

	/** Whether a connection that seems to be new has been there before. */
	isKnown(socket: Socket): boolean {
		return this.#upgrades.isAgain(socket);
	}

	take(server: Server): void {
		// Without a route that wants them, requests with an Upgrade header stay as they are.
		if (!this.#options.router.some(({ socket }) => socket !== undefined)) return;
		this.#upgrades.take(server, (request, socket, first) => this.#begin(request, socket, first));
	}

	/** Ends all of them. The server does not know them any more. */
	close(): void {
		for (const link of this.#open) {
			link.close(CLOSE_CODES.goingAway, "the gateway stops");
			link.destroy();
		}
	}

	#routeOf({ method = "", url = "" }: IncomingMessage): Route<Caller> | undefined {
		try {
			const route = this.#options.router.find(method, url)?.route;
			return route?.socket && route;
		} catch {
			// A path that cannot be read is refused as a request.
			return undefined;
		}
	}

	#begin(request: IncomingMessage, socket: Socket, first: Buffer): void {
		const { begin, attempt, respond } = this.#options;
		const response = new GatewayResponse(request);
		// A handshake that is refused gets a response like any request, and the connection ends with it.
		response.shouldKeepAlive = false;
		response.assignSocket(socket);
		response.once("finish", () => socket.end());
		socket.on("error", () => socket.destroy());
		const exchange = begin(request, response);
		attempt(exchange, () => respond(exchange, () => this.#accept(exchange, socket, first)));
	}

	#accept(exchange: Exchange<Caller>, socket: Socket, first: Buffer): void {
		const { request, response, requestId, caller } = exchange;
		const { limits, bodies, clock, connections, parse, newRequestId, admit, errorOf } = this.#options;
		const head = handshake(request, [`x-request-id: ${requestId}`]);
		response.detachSocket(socket);
		socket.write(head);
		const link = new WebSocketLink({
			socket,
			first,
			clock,
			limit: limits.bodyBytes,
			messageMs: limits.requestMs,
			reserve: (bytes) => bodies.reserve(caller as Caller, bytes),
		});
		this.#open.add(link);
		socket.once("close", () => this.#open.delete(link));
		connections.rest(socket);
		this.#routeOf(request)?.socket?.({
			request,
			link,
			admit: () => admit(request),
			parse,
			newRequestId,
			refuse: (error, id, by) => errorOf({ request, requestId: id, caller: by }, error),
			rest: () => connections.rest(socket),
			wake: () => connections.wake(socket),
		});
	}
}
