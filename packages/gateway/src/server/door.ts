import type { IncomingMessage } from "node:http";
import type { Soon } from "../time/soon.ts";
import type { RequestCaller } from "./exchange.ts";

/** What is decided about a request before its body is read. */
export interface Door<Caller extends RequestCaller> {
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
