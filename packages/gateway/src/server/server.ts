import type { IncomingMessage, ServerResponse } from "node:http";
import Fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import type { CapacityUser } from "../access/capacity.ts";
import type { Refused } from "../observe/facts.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { GatewayError, toGatewayError } from "../turn/error.ts";
import { Bodies, isClosed } from "./bodies.ts";
import { BodyBudget } from "./body-budget.ts";
import { type BodyLimits, DEFAULT_BODY_LIMITS } from "./body-limits.ts";
import type { ClientForm, RequestHead } from "./client-form.ts";
import { Connections } from "./connections.ts";
import { originOf } from "./origin.ts";
import { refusalOf } from "./refusal.ts";
import { RequestIds } from "./request-id.ts";
import { RouteNames } from "./route-names.ts";
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
	admit(request: IncomingMessage): Promise<Caller> | Caller;
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
	/** The value in a body, or a `GatewayError` that says why it cannot be read. */
	parseBody(bytes: Uint8Array): unknown;
	/** Makes the ids of requests. */
	newId(): string;
	/** Reports an error that is a bug of the gateway. */
	reportBug(error: unknown): void;
	/** Hears of every request that got an error instead of what it asked for. */
	refused?(refusal: Refused): void;
}

export type Handler<Caller extends RequestCaller> = (call: {
	caller: Caller;
	request: FastifyRequest;
	/** The body, parsed. */
	body: unknown;
	response: ServerResponse;
	/** The id that the response's headers contain. */
	requestId: string;
}) => Promise<void> | void;

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

/** The HTTP server. Its guards are hooks of the whole server, so that no route can forget them. */
export function createServer<Caller extends RequestCaller>(
	options: ServerOptions<Caller>,
	routes: readonly Route<Caller>[],
): FastifyInstance {
	const { limits, door, clock = systemClock } = options;
	const callers = new WeakMap<IncomingMessage, Caller>();
	const bodies = new Bodies(new BodyBudget(limits.bodies, clock), limits.bodyBytes);
	const ids = new RequestIds(options.newId);
	const names = new RouteNames(routes.map(({ path }) => path));
	const connections = new Connections({
		clock,
		limit: limits.connections,
		readOverBytes: limits.bodies.smallBytes,
		encodeError: (error) => {
			const form = options.formOf();
			const id = ids.next();
			const { headers, body, status } = form.encodeError(error, id);
			options.refused?.({ ...refusalOf(error, status), requestId: id });
			return { headers: { ...headers, [form.requestIdHeader]: id }, body };
		},
	});
	const pass = async (request: IncomingMessage) => {
		door.guard(request);
		connections.requireRoom(request);
		if (!door.isPublic(request)) callers.set(request, await door.admit(request));
	};
	const refuse = (raw: IncomingMessage, response: ServerResponse, error: unknown, otherStatus?: number) => {
		const known = fromFastify(error);
		if (known.kind === "internal") options.reportBug(error);
		const { status, headers, body } = options.formOf(raw).encodeError(known, ids.of(raw));
		// A client that has left is not refused anything.
		if (known.kind !== "cancelled") {
			options.refused?.({
				...refusalOf(known, otherStatus ?? status),
				...originOf(raw, ids.of(raw), callers.get(raw)),
				...(raw.method !== undefined && { method: raw.method }),
				route: names.of(raw.url),
			});
		}
		sendJson(response, otherStatus ?? status, headers, body);
	};
	const server = Fastify({
		logger: false,
		bodyLimit: limits.bodyBytes,
		requestTimeout: limits.requestMs,
		keepAliveTimeout: limits.keepAliveMs,
		forceCloseConnections: true,
		return503OnClosing: false,
		http: {
			headersTimeout: limits.headersMs,
			connectionsCheckingInterval: 1_000,
			// The guard refuses requests without one, in a form that clients can read.
			requireHostHeader: false,
		},
		clientErrorHandler: (error, socket) => connections.refuse(error, socket),
		// No hooks run for a path that the router cannot parse, so the guards are called here.
		frameworkErrors(_error, { raw }, reply) {
			reply.hijack();
			const unreadable = new GatewayError("invalid-request", "The path is not valid.");
			pass(raw).then(
				() => refuse(raw, reply.raw, unreadable),
				(error) => refuse(raw, reply.raw, error),
			);
		},
	});
	server.server.on("connection", (socket) => connections.open(socket));
	const begin = (request: IncomingMessage, response: ServerResponse) => {
		ids.give(request, response, options.formOf(request));
		connections.watch(request, response);
		for (const [name, value] of Object.entries(door.standingHeaders?.(request) ?? {})) {
			response.setHeader(name, value);
		}
	};
	server.server.prependListener("request", begin);
	server.server.on("checkExpectation", (request, response) => {
		begin(request, response);
		refuse(
			request,
			response,
			new GatewayError("invalid-request", "The Expect header asks for something unknown."),
			417,
		);
	});

	server.removeAllContentTypeParsers();
	server.addContentTypeParser("application/json", (_request: FastifyRequest, raw: IncomingMessage) =>
		bodies.read(raw, options.parseBody),
	);
	server.addHook("onRequest", async ({ raw, is404 }, reply) => {
		const permission = door.preflight?.(raw);
		if (permission) {
			door.guard(raw);
			reply.hijack();
			reply.raw.writeHead(204, permission).end();
			return reply;
		}
		await pass(raw);
		if (is404) throw nothingAt(raw);
		const caller = callers.get(raw);
		if (caller) await bodies.admit(raw, reply.raw, caller);
	});
	server.setErrorHandler((error, { raw }, reply) => {
		reply.hijack();
		// The client left before its request had ended.
		if (!raw.destroyed || raw.complete) refuse(raw, reply.raw, error);
	});
	const nothingAt = ({ url }: IncomingMessage) => {
		const known = routes.some(({ path }) => path === url?.split("?")[0]);
		return new GatewayError(known ? "method-not-allowed" : "not-found");
	};
	for (const { method, path, enter, handler } of routes) {
		server.route({
			method,
			url: path,
			// A HEAD of our own must not meet the one that is derived from GET.
			exposeHeadRoute: false,
			// Runs after the hooks of the whole server, so that a request that waits for room for its body holds no place.
			onRequest: async ({ raw }, reply) => {
				if (!enter) return;
				if (isClosed(reply.raw)) throw new GatewayError("cancelled");
				reply.raw.once("close", enter(callers.get(raw) as Caller));
			},
			handler: async (request, reply) => {
				reply.hijack();
				const caller = callers.get(request.raw) as Caller;
				try {
					const requestId = ids.of(request.raw);
					await handler({ caller, request, body: request.body, response: reply.raw, requestId });
				} catch (error) {
					refuse(request.raw, reply.raw, error);
				}
			},
		});
	}
	return server;
}

const FASTIFY_ERRORS: Record<string, GatewayError["kind"]> = {
	FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported-media",
};

function fromFastify(error: unknown): GatewayError {
	const code = (error as { code?: string }).code ?? "";
	const kind = FASTIFY_ERRORS[code];
	return kind ? new GatewayError(kind) : toGatewayError(error);
}
