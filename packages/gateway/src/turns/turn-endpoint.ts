import type { AdmittedCaller } from "../access/caller.ts";
import type { TurnGate } from "../access/turn-gate.ts";
import type { Dialect, DialectContext, DialectTurn, Sealer, StoredReplies } from "../dialects/dialect.ts";
import type { CursorWishes } from "../dialects/shared/cursor-wishes.ts";
import type { RequestOrigin } from "../observe/facts.ts";
import type { Handler, Route } from "../server/exchange.ts";
import { originOf } from "../server/origin.ts";
import type { Asker } from "../sessions/asker.ts";
import { newId } from "../text/new-id.ts";
import { type Soon, soon } from "../time/soon.ts";
import { GatewayError } from "../turn/error.ts";
import { headerWishes } from "./header-wishes.ts";
import type { TurnService } from "./turn-service.ts";
import { beginTurn } from "./turn-starts.ts";

export interface TurnEndpointParts {
	turns: TurnService;
	gate: TurnGate;
	accountOf(caller: AdmittedCaller): Soon<Asker["account"]>;
	/** What this caller's earlier requests stored. */
	storedOf(callerId: string): StoredReplies;
	/** What seals texts that clients keep for the gateway. */
	sealer(): Soon<Sealer>;
	isClosing(): boolean;
}

type TurnHttpRequest = Parameters<Handler<AdmittedCaller>>[0];

/** Serves the turns of one dialect, whatever path they come in at. */
export function turnEndpoint(
	dialect: Dialect,
	parts: TurnEndpointParts,
): Pick<Route<AdmittedCaller>, "enter" | "handler"> {
	const turn = (requested: TurnHttpRequest) => serve(dialect, parts, requested);
	return {
		enter(caller) {
			if (parts.isClosing()) throw new GatewayError("shutting-down");
			return enterTurn(parts.gate, caller);
		},
		handler: (requested) => beginTurn(turn, requested),
	};
}

/** Takes a place among the turns of a caller, or throws. Returns what gives it back. */
export function enterTurn(gate: TurnGate, caller: AdmittedCaller): Soon<() => void> {
	return soon(gate.enter(caller), orRefused);
}

function orRefused(leave: (() => void) | GatewayError): () => void {
	if (leave instanceof GatewayError) throw leave;
	return leave;
}

function serve(dialect: Dialect, parts: TurnEndpointParts, requested: TurnHttpRequest): Soon<void> {
	// The gateway may have begun to stop while the body arrived.
	if (parts.isClosing()) throw new GatewayError("shutting-down");
	const { request, body } = requested;
	return soon(readTurn(dialect, body, request, new RequestContext(requested, parts)), serveRead, requested, parts);
}

function serveRead(read: DialectTurn, requested: TurnHttpRequest, parts: TurnEndpointParts): Soon<void> {
	const decodeMs = performance.now() - requested.arrivedAt;
	return soon(parts.accountOf(requested.caller), serveFor, { read, decodeMs, requested }, parts.turns);
}

function serveFor(
	account: Asker["account"],
	{ read, decodeMs, requested }: { read: DialectTurn; decodeMs: number; requested: TurnHttpRequest },
	turns: TurnService,
): Soon<void> {
	const { caller, request, response, requestId, admitMs } = requested;
	const origin = originOf(request, requestId, caller);
	return turns.serve(read, askerOf(caller, account, origin), response, origin, decodeMs, admitMs);
}

/** Who asks, with everything that limits what they may spend. */
export function askerOf(caller: AdmittedCaller, account: Asker["account"], origin: RequestOrigin): Asker {
	const asker: Asker = { caller: caller.id, account, origin };
	if (caller.keyId !== undefined) asker.keyId = caller.keyId;
	if (caller.hasSpendLimits) asker.hasSpendLimits = true;
	return asker;
}

/** The turn that a body asks for, with what the headers of its request add. */
export function readTurn(
	dialect: Dialect,
	body: unknown,
	request: TurnHttpRequest["request"],
	context: DialectContext,
): Soon<DialectTurn> {
	return soon(dialect.read(body, context), withWishes, headerWishes(request.headers));
}

function withWishes(read: DialectTurn, wishes: CursorWishes): DialectTurn {
	if (wishes.mode !== undefined || wishes.maxMode !== undefined) read.turn = { ...wishes, ...read.turn };
	return read;
}

/** What a dialect may know of a request beside its body. Most dialects need little of it. */
export class RequestContext implements DialectContext {
	readonly #requested: Pick<TurnHttpRequest, "caller" | "request" | "requestId">;
	readonly #parts: TurnEndpointParts;

	constructor(requested: Pick<TurnHttpRequest, "caller" | "request" | "requestId">, parts: TurnEndpointParts) {
		this.#requested = requested;
		this.#parts = parts;
	}

	get newId(): () => string {
		return newId;
	}

	get now(): () => number {
		return Date.now;
	}

	get requestId(): string {
		return this.#requested.requestId;
	}

	get header(): DialectContext["header"] {
		const { headers } = this.#requested.request;
		return (name) => headers[name]?.toString();
	}

	get stored(): StoredReplies {
		return this.#parts.storedOf(this.#requested.caller.id);
	}

	get sealer(): DialectContext["sealer"] {
		return this.#parts.sealer;
	}
}
