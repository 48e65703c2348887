import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { CapacityUser } from "../access/capacity.ts";
import type { Refused } from "../observe/facts.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { orElse, type Soon, soon } from "../time/soon.ts";
import { GatewayError, toGatewayError } from "../turn/error.ts";
import { Bodies, isClosed } from "./bodies.ts";
import { BodyBudget } from "./body-budget.ts";
import { type BodyLimits, DEFAULT_BODY_LIMITS } from "./body-limits.ts";
import type { ClientForm, RequestHead } from "./client-form.ts";
import { Connections } from "./connections.ts";
import { Listening } from "./listening.ts";
import { originOf } from "./origin.ts";
import { refusalOf } from "./refusal.ts";
import { RequestIds } from "./request-id.ts";
import { type FoundRoute, Router } from "./router.ts";
import { sendJson } from "./send-json.ts";

/** Who sent a request. This is known before any route sees the request. */
export interface RequestCaller extends CapacityUser {
	/** Stable, and contains no secret. */
	id: string;
	/** The name of its key. */
	name?: string;
}

export interface ServerLimits {
	bodyBytes: number;
	/** For all bodies that are being read. */
	bodies: BodyLimits;
	headersMs: number;
	requestMs: number;
	keepAliveMs: number;
	connections: number;
}

export const DEFAULT_SERVER_LIMITS: ServerLimits = {
	bodyBytes: 32 << 20,
	bodies: DEFAULT_BODY_LIMITS,
	headersMs: 10_000,
	requestMs: 60_000,
	// Agents send the next request after a tool has run. Node's default of five seconds is often too short for that.
	keepAliveMs: 65_000,
	connections: 1_024,
};

/** What is decided about a request before its body is read. */
interface Door<Caller extends RequestCaller> {
	/** Whether the request needs no key. */
	isPublic(request: IncomingMessage): boolean;
	/** Checks what holds for public requests too (Host, Origin and the like). Throws a `GatewayError`. */
	guard(request: IncomingMessage): void;
	/** Finds out who sends a request that is not public, or throws a `GatewayError`. */
	admit(request: IncomingMessage): Soon<Caller>;
	/** Headers that every response to this request carries. */
	standingHeaders?(request: IncomingMessage): Record<string, string>;
	/** The response to a browser's preflight request; undefined when the request is not one. */
	preflight?(request: IncomingMessage): Record<string, string> | undefined;
}

export interface ServerOptions<Caller extends RequestCaller> {
	limits: ServerLimits;
	clock?: Clock;
	door: Door<Caller>;
	/** The form of the API that the sender of a request uses. No request: for bytes that could not be read as one. */
	formOf(request?: RequestHead): ClientForm;
	/** The value in a body that a caller sent, or a `GatewayError` that says why it cannot be read. */
	parseBody(bytes: Uint8Array, caller?: string): unknown;
	/** Makes the ids of requests. */
	newId(): string;
	/** Reports an error that is a bug of the gateway. */
	reportBug(error: unknown): void;
	/** Hears of every request that got an error instead of what it asked for. */
	refused?(refusal: Refused): void;
}

export type Handler<Caller extends RequestCaller> = (call: {
	caller: Caller;
	request: IncomingMessage;
	/** The parts of the path that the route leaves open. */
	params: Readonly<Record<string, string>>;
	/** The body, parsed. */
	body: unknown;
	response: ServerResponse;
	/** The id that the response's headers contain. */
	requestId: string;
}) => Soon<void>;

export interface Route<Caller extends RequestCaller> {
	method: "GET" | "POST" | "DELETE" | "HEAD";
	path: string;
	/**
	 * Takes what the route needs before any of the body is read, or throws a `GatewayError` if that is used up. The
	 * returned function is called when the response closes, however it ends.
	 */
	enter?(caller: Caller): () => void;
	handler: Handler<Caller>;
}

/** The HTTP server. Every request passes the same guards before its route sees it, so that no route can forget them. */
export class GatewayServer<Caller extends RequestCaller> {
	readonly #options: ServerOptions<Caller>;
	readonly #router: Router<Route<Caller>>;
	readonly #callers = new WeakMap<IncomingMessage, Caller>();
	readonly #bodies: Bodies;
	readonly #ids: RequestIds;
	readonly #connections: Connections;
	readonly #listening: Listening;

	constructor(options: ServerOptions<Caller>, routes: readonly Route<Caller>[]) {
		const { limits, clock = systemClock } = options;
		this.#options = options;
		this.#router = new Router(routes);
		this.#bodies = new Bodies(new BodyBudget(limits.bodies, clock), limits.bodyBytes);
		this.#ids = new RequestIds(options.newId);
		this.#connections = new Connections({
			clock,
			limit: limits.connections,
			readOverBytes: limits.bodies.smallBytes,
			encodeError: (error) => this.#encodeUnreadable(error),
		});
		this.#listening = new Listening(() => this.#newHttpServer());
	}

	/** Resolves with the port when the server listens. */
	listen(host: string, port: number): Promise<number> {
		return this.#listening.start(host, port);
	}

	/** Ends all connections. */
	close(): Promise<void> {
		return this.#listening.stop();
	}

	#newHttpServer(): Server {
		const { limits } = this.#options;
		const server = createHttpServer({
			requestTimeout: limits.requestMs,
			headersTimeout: limits.headersMs,
			keepAliveTimeout: limits.keepAliveMs,
			connectionsCheckingInterval: 1_000,
			// The guard refuses requests without one, in a form that clients can read.
			requireHostHeader: false,
		});
		server.on("connection", (socket) => this.#connections.open(socket));
		server.on("clientError", (error, socket) => this.#connections.refuse(error, socket as IncomingMessage["socket"]));
		server.on("request", (request, response) => this.#serve(request, response));
		server.on("checkExpectation", (request, response) => {
			this.#begin(request, response);
			const error = new GatewayError("invalid-request", "The Expect header asks for something unknown.");
			this.#refuse(request, response, error, 417);
		});
		return server;
	}

	#serve(request: IncomingMessage, response: ServerResponse): void {
		this.#begin(request, response);
		void orElse(
			() => this.#respondOrRefuse(request, response),
			(mistake) => {
				this.#options.reportBug(mistake);
				response.destroy();
			},
		);
	}

	#respondOrRefuse(request: IncomingMessage, response: ServerResponse): Soon<void> {
		return orElse(
			() => this.#respond(request, response),
			(error) => {
				// Unless the client left before its request had ended.
				if (!request.destroyed || request.complete) this.#refuse(request, response, error);
			},
		);
	}

	#begin(request: IncomingMessage, response: ServerResponse): void {
		const { door, formOf } = this.#options;
		this.#ids.give(request, response, formOf(request));
		this.#connections.watch(request, response);
		const standing = door.standingHeaders?.(request);
		if (standing) for (const name in standing) response.setHeader(name, standing[name]!);
	}

	#respond(request: IncomingMessage, response: ServerResponse): Soon<void> {
		const { door } = this.#options;
		const permission = door.preflight?.(request);
		door.guard(request);
		if (permission) return void response.writeHead(204, permission).end();
		this.#connections.requireRoom(request);
		if (door.isPublic(request)) return this.#route(request, response, undefined);
		return soon(door.admit(request), (caller) => {
			this.#callers.set(request, caller);
			return this.#route(request, response, caller);
		});
	}

	#route(request: IncomingMessage, response: ServerResponse, caller: Caller | undefined): Soon<void> {
		const { method = "", url = "" } = request;
		const found = this.#router.find(method, url);
		if (!found) throw new GatewayError(this.#router.hasPath(url) ? "method-not-allowed" : "not-found");
		const room = caller && this.#bodies.admit(request, response, caller);
		return soon(room, () => this.#handle(found, request, response, caller as Caller));
	}

	/** A request that waits for room for its body holds no place. */
	#handle(
		{ route, params }: FoundRoute<Route<Caller>>,
		request: IncomingMessage,
		response: ServerResponse,
		caller: Caller,
	): Soon<void> {
		if (route.enter) {
			if (isClosed(response)) throw new GatewayError("cancelled");
			response.once("close", route.enter(caller));
		}
		const requestId = this.#ids.of(request);
		const parse = (bytes: Uint8Array) => this.#options.parseBody(bytes, caller?.id);
		return soon(this.#bodies.read(request, parse), (body) =>
			route.handler({ caller, request, params, body, response, requestId }),
		);
	}

	#refuse(request: IncomingMessage, response: ServerResponse, error: unknown, otherStatus?: number): void {
		const { formOf, refused, reportBug } = this.#options;
		const known = toGatewayError(error);
		if (known.kind === "internal") reportBug(error);
		const id = this.#ids.of(request);
		const { status, headers, body } = formOf(request).encodeError(known, id);
		// A client that has left is not refused anything.
		if (known.kind !== "cancelled") {
			refused?.({
				...refusalOf(known, otherStatus ?? status),
				...originOf(request, id, this.#callers.get(request)),
				...(request.method !== undefined && { method: request.method }),
				route: this.#router.nameOf(request.url ?? ""),
			});
		}
		sendJson(response, otherStatus ?? status, headers, body);
	}

	/** The response to bytes that are no request. */
	#encodeUnreadable(error: GatewayError): { headers: Record<string, string>; body: object } {
		const form = this.#options.formOf();
		const id = this.#ids.next();
		const { headers, body, status } = form.encodeError(error, id);
		this.#options.refused?.({ ...refusalOf(error, status), requestId: id });
		return { headers: { ...headers, [form.requestIdHeader]: id }, body };
	}
}
