import type { IncomingMessage, ServerResponse } from "node:http";
import Fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import { parseJsonBody } from "../dialects/shared/json-body.ts";
import { GatewayError, toGatewayError } from "../turn/error.ts";
import { sendJson } from "./turn-service.ts";

/** Who sent a request; found out before any route sees it. */
export interface RequestCaller {
	/** Stable and without a secret in it. */
	id: string;
}

export interface ServerLimits {
	bodyBytes: number;
	headersMs: number;
	requestMs: number;
	keepAliveMs: number;
	connections: number;
}

export const DEFAULT_SERVER_LIMITS: ServerLimits = {
	bodyBytes: 32 << 20,
	headersMs: 10_000,
	requestMs: 60_000,
	// Agents come back when a tool has run; Node's own five seconds close the connection just then.
	keepAliveMs: 65_000,
	connections: 1_024,
};

export interface ServerOptions<Caller extends RequestCaller> {
	limits: ServerLimits;
	/** Lets a request pass as a caller, or throws a `GatewayError`. Asked for every request but the public ones. */
	admit(request: IncomingMessage): Promise<Caller> | Caller;
	/** Whether a request needs no key. */
	isPublic(request: IncomingMessage): boolean;
	/** What holds for public requests as well: Host, Origin and the like. */
	guard(request: IncomingMessage): void;
	/** An error in the form of whichever API the path belongs to. */
	encodeError(path: string, error: GatewayError): { status: number; headers: Record<string, string>; body: object };
	/** Something that nobody expected. */
	mistake(error: unknown): void;
}

export type Handler<Caller extends RequestCaller> = (call: {
	caller: Caller;
	request: FastifyRequest;
	/** The body, parsed. */
	body: unknown;
	response: ServerResponse;
}) => Promise<void> | void;

export interface Route<Caller extends RequestCaller> {
	method: "GET" | "POST" | "DELETE" | "HEAD";
	path: string;
	handler: Handler<Caller>;
}

/** The HTTP front. Guards are hooks of the whole server: no route can forget them. */
export function createServer<Caller extends RequestCaller>(
	options: ServerOptions<Caller>,
	routes: readonly Route<Caller>[],
): FastifyInstance {
	const { limits } = options;
	const server = Fastify({
		logger: false,
		bodyLimit: limits.bodyBytes,
		requestTimeout: limits.requestMs,
		keepAliveTimeout: limits.keepAliveMs,
		forceCloseConnections: true,
		return503OnClosing: false,
		http: { headersTimeout: limits.headersMs, connectionsCheckingInterval: 1_000 },
		clientErrorHandler: onClientError,
	});
	server.server.maxConnections = limits.connections;
	const callers = new WeakMap<IncomingMessage, Caller>();
	const refuse = (raw: IncomingMessage, response: ServerResponse, error: GatewayError) => {
		const { status, headers, body } = options.encodeError(raw.url ?? "", error);
		sendJson(response, status, headers, body);
	};

	server.removeAllContentTypeParsers();
	server.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => {
		try {
			done(null, parseJsonBody(body as Buffer));
		} catch (error) {
			done(error as Error);
		}
	});
	server.addHook("onRequest", async (request) => {
		options.guard(request.raw);
		if (!options.isPublic(request.raw)) callers.set(request.raw, await options.admit(request.raw));
	});
	server.setErrorHandler((error, request, reply) => {
		const known = fromFastify(error);
		if (known.kind === "internal") options.mistake(error);
		reply.hijack();
		refuse(request.raw, reply.raw, known);
	});
	server.setNotFoundHandler((request, reply) => {
		reply.hijack();
		const known = routes.some(({ path }) => path === request.raw.url?.split("?")[0]);
		refuse(request.raw, reply.raw, new GatewayError(known ? "method-not-allowed" : "not-found"));
	});
	for (const { method, path, handler } of routes) {
		server.route({
			method,
			url: path,
			// A HEAD of our own must not meet the one that is derived from GET.
			exposeHeadRoute: false,
			handler: async (request, reply) => {
				reply.hijack();
				const caller = callers.get(request.raw) as Caller;
				try {
					await handler({ caller, request, body: request.body, response: reply.raw });
				} catch (error) {
					const known = toGatewayError(error);
					if (known.kind === "internal") options.mistake(error);
					refuse(request.raw, reply.raw, known);
				}
			},
		});
	}
	return server;
}

const FASTIFY_ERRORS: Record<string, GatewayError["kind"]> = {
	FST_ERR_CTP_BODY_TOO_LARGE: "too-large",
	FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported-media",
	FST_ERR_CTP_EMPTY_JSON_BODY: "invalid-request",
	FST_ERR_CTP_INVALID_CONTENT_LENGTH: "invalid-request",
};

function fromFastify(error: unknown): GatewayError {
	const code = (error as { code?: string }).code ?? "";
	const kind = FASTIFY_ERRORS[code];
	return kind ? new GatewayError(kind) : toGatewayError(error);
}

/** All that an answer without a request needs of a socket. */
interface ClientSocket {
	writable: boolean;
	destroy(): void;
	end(text: string): void;
}

/** What the HTTP parser itself refuses never becomes a request. */
function onClientError(error: NodeJS.ErrnoException, socket: ClientSocket): void {
	if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
	const status =
		error.code === "HPE_HEADER_OVERFLOW"
			? "431 Request Header Fields Too Large"
			: error.code === "ERR_HTTP_REQUEST_TIMEOUT"
				? "408 Request Timeout"
				: "400 Bad Request";
	socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}
