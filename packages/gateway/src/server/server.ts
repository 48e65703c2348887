import { createServer as createHttpServer, type IncomingMessage, type Server } from "node:http";
import type { Refused } from "../observe/facts.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { type Soon, soon } from "../time/soon.ts";
import { GatewayError, toGatewayError } from "../turn/error.ts";
import { Bodies, hasBody } from "./bodies.ts";
import { BodyBudget } from "./body-budget.ts";
import type { ClientForm, RequestHead } from "./client-form.ts";
import { Connections } from "./connections.ts";
import type { Door } from "./door.ts";
import { type Call, Exchange, type RequestCaller, type Route } from "./exchange.ts";
import { GatewayResponse } from "./gateway-response.ts";
import { Listening } from "./listening.ts";
import { originOf } from "./origin.ts";
import { refusalOf } from "./refusal.ts";
import { type FoundRoute, Router } from "./router.ts";
import { sendJson } from "./send-json.ts";
import type { ServerLimits } from "./server-limits.ts";
import { Sockets } from "./websocket/sockets.ts";

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

function handOver<Caller extends RequestCaller>(
	body: unknown,
	route: Route<Caller>,
	exchange: Exchange<Caller>,
): Soon<void> {
	exchange.body = body;
	return soon(route.handler(exchange as Call<Caller>), forgetBody, exchange);
}

/** A turn has what it needs of it, and may take long. */
function forgetBody(_handled: unknown, exchange: { body: unknown }): void {
	exchange.body = undefined;
}

function notServed(methods: readonly string[]): GatewayError {
	if (methods.length === 0) return new GatewayError("not-found");
	return new GatewayError("method-not-allowed", undefined, { nextStep: `Use ${methods.join(" or ")}.` });
}

type EncodedError = ReturnType<ClientForm["encodeError"]>;
type RefusedExchange = Pick<Exchange<RequestCaller>, "request" | "requestId" | "caller">;

/** The HTTP server. Every request passes the same guards before its route sees it, so that no route can forget them. */
export class GatewayServer<Caller extends RequestCaller> {
	readonly #options: ServerOptions<Caller>;
	readonly #router: Router<Route<Caller>>;
	readonly #bodies: Bodies;
	readonly #connections: Connections;
	readonly #listening: Listening;
	readonly #sockets: Sockets<Caller>;

	constructor(options: ServerOptions<Caller>, routes: readonly Route<Caller>[]) {
		const { limits, clock = systemClock } = options;
		this.#options = options;
		this.#router = new Router(routes);
		this.#bodies = new Bodies(new BodyBudget(limits.bodies, clock), limits.bodyBytes);
		this.#connections = new Connections({
			clock,
			limit: limits.connections,
			readOverBytes: limits.bodies.smallBytes,
			encodeError: (error) => this.#encodeUnreadable(error),
		});
		this.#sockets = new Sockets({
			router: this.#router,
			connections: this.#connections,
			bodies: this.#bodies,
			limits,
			clock,
			parse: options.parseBody,
			newRequestId: () => this.#newRequestId(),
			admit: (request) => options.door.admit(request),
			errorOf: (exchange, error) => this.#errorOf(exchange, error),
			begin: (request, response) => this.#begin(request, response),
			attempt: (exchange, work) => this.#attempt(exchange, work),
			respond: (exchange, route) => this.#respond(exchange, route),
		});
		this.#listening = new Listening(() => this.#newHttpServer());
	}

	/** Resolves with the port when the server listens. */
	listen(host: string, port: number): Promise<number> {
		return this.#listening.start(host, port);
	}

	/** Takes no more connections. */
	refuse(): void {
		this.#listening.refuse();
	}

	/** Ends all connections. */
	close(): Promise<void> {
		this.#sockets.close();
		return this.#listening.stop();
	}

	#newHttpServer(): Server {
		const { limits } = this.#options;
		const server = createHttpServer({
			ServerResponse: GatewayResponse,
			requestTimeout: limits.requestMs,
			headersTimeout: limits.headersMs,
			keepAliveTimeout: limits.keepAliveMs,
			connectionsCheckingInterval: 1_000,
			// The guard refuses requests without one, in a form that clients can read.
			requireHostHeader: false,
		});
		server.on("connection", (socket) => this.#sockets.isKnown(socket) || this.#connections.open(socket));
		this.#sockets.take(server);
		server.on("clientError", (error, socket) => this.#connections.refuse(error, socket as IncomingMessage["socket"]));
		server.on("request", (request, response) => this.#serve(request, response));
		server.on("checkExpectation", (request, response) => {
			const error = new GatewayError("invalid-request", "The Expect header asks for something unknown.");
			this.#refuse(this.#begin(request, response), error, 417);
		});
		return server;
	}

	#serve(request: IncomingMessage, response: GatewayResponse): void {
		this.#attempt(this.#begin(request, response), this.#answer);
	}

	readonly #answer = (exchange: Exchange<Caller>): Soon<void> => this.#respond(exchange, this.#route);

	#begin(request: IncomingMessage, response: GatewayResponse): Exchange<Caller> {
		const { door, formOf } = this.#options;
		const exchange = new Exchange<Caller>(request, response, this.#newRequestId());
		// The response tells the id from the beginning, before anything can go wrong.
		response.addStanding(formOf(request).requestIdHeader, exchange.requestId);
		const standing = door.standingHeaders?.(request);
		if (standing) for (const name in standing) response.addStanding(name, standing[name]!);
		this.#connections.begin(request, response);
		response.on("finish", () => this.#connections.finished(request));
		response.on("close", () => {
			this.#connections.end(request, response);
			exchange.close();
		});
		return exchange;
	}

	/** Every response tells the id of its request, so that the request can be found in a log. */
	#newRequestId(): string {
		return `req_${this.#options.newId()}`;
	}

	/** Does work for a request. If that fails, the error becomes the response. */
	#attempt(exchange: Exchange<Caller>, work: (exchange: Exchange<Caller>) => Soon<void>): void {
		try {
			const working = work(exchange);
			if (working instanceof Promise) this.#watch(exchange, working);
		} catch (error) {
			this.#failed(exchange, error);
		}
	}

	#watch(exchange: Exchange<Caller>, working: Promise<void>): void {
		working.catch((error) => this.#failed(exchange, error));
	}

	#failed(exchange: Exchange<Caller>, error: unknown): void {
		const { request, response } = exchange;
		try {
			// Unless the client left before its request had ended.
			if (!request.destroyed || request.complete) this.#refuse(exchange, error);
		} catch (mistake) {
			this.#options.reportBug(mistake);
			response.destroy();
		}
	}

	/** Everything that is decided about a request by its head, and then `route`. */
	#respond(exchange: Exchange<Caller>, route: (exchange: Exchange<Caller>) => Soon<void>): Soon<void> {
		const { door } = this.#options;
		const { request, response } = exchange;
		const permission = door.preflight?.(request);
		door.guard(request);
		if (permission) return void response.writeHead(204, permission).end();
		this.#connections.requireRoom(request);
		if (door.isPublic(request)) return route(exchange);
		return soon(door.admit(request), this.#admitted, exchange, route);
	}

	readonly #admitted = (
		caller: Caller,
		exchange: Exchange<Caller>,
		route: (exchange: Exchange<Caller>) => Soon<void>,
	): Soon<void> => {
		exchange.caller = caller;
		return route(exchange);
	};

	readonly #route = (exchange: Exchange<Caller>): Soon<void> => {
		const { request, caller } = exchange;
		const { method = "", url = "" } = request;
		const found = this.#router.find(method, url);
		if (!found) throw notServed(this.#router.methodsOf(url));
		const room = caller && this.#bodies.admit(exchange, caller);
		return soon(room, this.#enter, found, exchange);
	};

	/** A request that waits for room for its body holds no place. */
	readonly #enter = (
		_room: unknown,
		{ route, params }: FoundRoute<Route<Caller>>,
		exchange: Exchange<Caller>,
	): Soon<void> => {
		exchange.params = params;
		if (!route.enter) return this.#receive(route, exchange);
		if (exchange.isClosed) throw new GatewayError("cancelled");
		return soon(route.enter(exchange.caller as Caller), this.#entered, route, exchange);
	};

	readonly #entered = (leave: () => void, route: Route<Caller>, exchange: Exchange<Caller>): Soon<void> => {
		exchange.leaveRoute = leave;
		if (!exchange.isClosed) return this.#receive(route, exchange);
		// There was nobody to give the place back when it was closed.
		exchange.close();
		throw new GatewayError("cancelled");
	};

	#receive(route: Route<Caller>, exchange: Exchange<Caller>): Soon<void> {
		exchange.admitted();
		if (!hasBody(exchange.request)) return route.handler(exchange as Call<Caller>);
		this.#bodies.read(exchange, {
			arrived: (bytes) => this.#attempt(exchange, () => this.#handle(route, exchange, bytes)),
			failed: (error) => {
				exchange.releaseRoom();
				this.#failed(exchange, error);
			},
		});
	}

	#handle(route: Route<Caller>, exchange: Exchange<Caller>, bytes: Buffer): Soon<void> {
		exchange.arrivedAt = performance.now();
		return soon(this.#parse(exchange, bytes), handOver, route, exchange);
	}

	#parse(exchange: Exchange<Caller>, bytes: Buffer): unknown {
		try {
			return this.#options.parseBody(bytes, exchange.caller?.id);
		} finally {
			exchange.releaseRoom();
		}
	}

	#refuse(exchange: Exchange<Caller>, error: unknown, otherStatus?: number): void {
		const { status, headers, body } = this.#errorOf(exchange, error, otherStatus);
		sendJson(exchange.response, status, headers, body);
	}

	/** The response to a request that failed. It is told to whoever follows such requests. */
	#errorOf(exchange: RefusedExchange, error: unknown, otherStatus?: number): EncodedError {
		const { request, requestId, caller } = exchange;
		const { formOf, refused, reportBug } = this.#options;
		const known = toGatewayError(error);
		if (known.kind === "internal") reportBug(error);
		const { headers, body, ...encoded } = formOf(request).encodeError(known, requestId);
		const status = otherStatus ?? encoded.status;
		// A client that has left is not refused anything.
		if (known.kind !== "cancelled") {
			refused?.({
				...refusalOf(known, status),
				...originOf(request, requestId, caller),
				...(request.method !== undefined && { method: request.method }),
				route: this.#router.nameOf(request.url ?? ""),
			});
		}
		return { status, headers, body };
	}

	/** The response to bytes that are no request. */
	#encodeUnreadable(error: GatewayError): { headers: Record<string, string>; body: object } {
		const form = this.#options.formOf();
		const id = this.#newRequestId();
		const { headers, body, status } = form.encodeError(error, id);
		this.#options.refused?.({ ...refusalOf(error, status), requestId: id });
		return { headers: { ...headers, [form.requestIdHeader]: id }, body };
	}
}
