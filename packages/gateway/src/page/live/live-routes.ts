import type { AdmittedCaller } from "../../access/caller.ts";
import { pathParam } from "../../routes/json-handler.ts";
import type { Handler } from "../../server/exchange.ts";
import { GatewayError } from "../../turn/error.ts";
import { DATA_HEADERS } from "../page-headers.ts";
import { sessionOf } from "../session/page-door.ts";
import type { PageSessions } from "../session/page-sessions.ts";
import { RUN_PREFIX } from "./lanes.ts";
import type { LivePages } from "./live-pages.ts";

/** `GET /page/api/live` */
export function live(pages: LivePages, sessions: PageSessions): Handler<AdmittedCaller> {
	return ({ request, response }) => {
		const lastEventId = request.headers["last-event-id"];
		return pages.add(response, sessionOf(request, sessions)!, lastEventId?.toString());
	};
}

/** Ends what is under way. False: it is not under way any more. */
export interface Stopper {
	stopTurn(requestId: string): boolean;
	stopRun(runId: string): boolean;
}

/** `POST /page/api/turns/:requestId/stop`, for a turn or a run that waits. */
export function stop({ stopTurn, stopRun }: Stopper): Handler<AdmittedCaller> {
	return (requested) => {
		const id = pathParam(requested, "requestId");
		const stopped = id.startsWith(RUN_PREFIX) ? stopRun(id.slice(RUN_PREFIX.length)) : stopTurn(id);
		if (!stopped)
			throw new GatewayError("not-found", "This turn is not under way any more.", {
				nextStep: "Look at the turns that ended.",
			});
		requested.response.writeHead(204, DATA_HEADERS).end();
	};
}
