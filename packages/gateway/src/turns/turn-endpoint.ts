import { randomUUID } from "node:crypto";
import type { Dialect, DialectContext } from "../dialects/dialect.ts";
import type { ApiParts, ApiRequest, Caller } from "../routes/api-parts.ts";
import type { Route } from "../server/server.ts";
import { GatewayError } from "../turn/error.ts";
import { headerWishes } from "./header-wishes.ts";

/** How turns of a dialect are served, at whichever path. */
export function turnRoute(dialect: Dialect, parts: ApiParts): Pick<Route<Caller>, "enter" | "handler"> {
	return {
		enter({ caller }) {
			if (parts.isClosing()) throw new GatewayError("shutting-down");
			const leave = parts.gate.enter(caller);
			if (leave instanceof GatewayError) throw leave;
			return leave;
		},
		async handler(requested) {
			const { caller, request, response, body } = requested;
			// The gateway may have begun to stop while the body arrived.
			if (parts.isClosing()) throw new GatewayError("shutting-down");
			const wishes = headerWishes(request.raw.headers);
			const read = await dialect.read(body, contextOf(requested, parts));
			const turn = { ...wishes, ...read.turn };
			const asker = { caller: caller.id, account: await parts.accountOf(caller) };
			await parts.turns.serve({ ...read, turn }, asker, response);
		},
	};
}

function contextOf({ caller, request, requestId }: ApiRequest, { responses }: ApiParts): DialectContext {
	return {
		newId: randomUUID,
		now: Date.now,
		requestId,
		header: (name) => request.raw.headers[name]?.toString(),
		stored: responses.of(caller.id),
	};
}
