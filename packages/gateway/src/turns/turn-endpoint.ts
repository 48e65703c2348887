import { randomUUID } from "node:crypto";
import type { AdmittedCaller } from "../access/caller.ts";
import type { TurnGate } from "../access/turn-gate.ts";
import type { Dialect, DialectContext, StoredReplies } from "../dialects/dialect.ts";
import { originOf } from "../server/origin.ts";
import type { Handler, Route } from "../server/server.ts";
import type { Asker } from "../sessions/ladder.ts";
import { GatewayError } from "../turn/error.ts";
import { headerWishes } from "./header-wishes.ts";
import type { TurnService } from "./turn-service.ts";

export interface TurnEndpointParts {
	turns: TurnService;
	gate: TurnGate;
	accountOf(caller: AdmittedCaller): Promise<Asker["account"]> | Asker["account"];
	/** What this caller's earlier requests stored. */
	storedOf(callerId: string): StoredReplies;
	isClosing(): boolean;
}

type TurnHttpRequest = Parameters<Handler<AdmittedCaller>>[0];

/** Serves the turns of one dialect, whatever path they come in at. */
export function turnEndpoint(
	dialect: Dialect,
	parts: TurnEndpointParts,
): Pick<Route<AdmittedCaller>, "enter" | "handler"> {
	return {
		enter(caller) {
			if (parts.isClosing()) throw new GatewayError("shutting-down");
			const leave = parts.gate.enter(caller);
			if (leave instanceof GatewayError) throw leave;
			return leave;
		},
		async handler(requested) {
			const { caller, request, response, body, requestId } = requested;
			// The gateway may have begun to stop while the body arrived.
			if (parts.isClosing()) throw new GatewayError("shutting-down");
			const wishes = headerWishes(request.raw.headers);
			const read = await dialect.read(body, contextOf(requested, parts));
			const turn = { ...wishes, ...read.turn };
			const asker = { caller: caller.id, account: await parts.accountOf(caller) };
			const origin = originOf(request.raw, requestId, caller);
			await parts.turns.serve({ ...read, turn }, asker, response, origin);
		},
	};
}

function contextOf({ caller, request, requestId }: TurnHttpRequest, { storedOf }: TurnEndpointParts): DialectContext {
	return {
		newId: randomUUID,
		now: Date.now,
		requestId,
		header: (name) => request.raw.headers[name]?.toString(),
		stored: storedOf(caller.id),
	};
}
