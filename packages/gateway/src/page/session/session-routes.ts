import type { AdmittedCaller } from "../../access/caller.ts";
import type { ApiParts, ApiRequest } from "../../routes/api-parts.ts";
import { requireOwner } from "../../routes/owner.ts";
import type { Handler } from "../../server/exchange.ts";
import { sendJson } from "../../server/send-json.ts";
import { GatewayError } from "../../turn/error.ts";
import { DATA_HEADERS } from "../page-headers.ts";
import { SESSION_HEADER } from "./page-door.ts";
import { CODE_LIFE_MS, type PageSessions } from "./page-sessions.ts";

/** `POST /v1/cursorwire/page-code`: a code for the owner's browser. Undefined sessions: this gateway has no page. */
export function pageCode(
	sessions: PageSessions | undefined,
	parts: Pick<ApiParts, "isOwner">,
): Handler<AdmittedCaller> {
	return (requested) => {
		requireOwner(requested, parts);
		if (!sessions) throw noPage();
		sendJson(requested.response, 200, DATA_HEADERS, { code: sessions.newCode(), lifeMs: CODE_LIFE_MS });
	};
}

/** `POST /page/api/session` */
export function openSession(sessions: PageSessions): Handler<AdmittedCaller> {
	return ({ body, response }) => {
		const code = (body as { code?: unknown } | null)?.code;
		if (typeof code !== "string") throw new GatewayError("invalid-request", "The body has no code.", { param: "code" });
		sendJson(response, 200, DATA_HEADERS, sessions.exchange(code));
	};
}

/** `DELETE /page/api/session` */
export function endSession(sessions: PageSessions): Handler<AdmittedCaller> {
	return ({ request, response }: ApiRequest) => {
		sessions.end(String(request.headers[SESSION_HEADER]));
		response.writeHead(204, DATA_HEADERS).end();
	};
}

function noPage(): GatewayError {
	return new GatewayError("not-found", "This gateway serves no page.", {
		nextStep:
			"The setting page switches it on; a gateway for other machines (--allow-remote) needs --page-remote as well.",
	});
}
