import type { IncomingMessage } from "node:http";
import { type AdmittedCaller, PAGE_CALLER } from "../../access/caller.ts";
import type { PageAdmission } from "../../access/front-door.ts";
import { GatewayError } from "../../turn/error.ts";
import type { PageSessions } from "./page-sessions.ts";

export const SESSION_HEADER = "x-cursorwire-session";

/** What anybody may have besides the exchange of a code. Compared as text, like all public requests. */
const PUBLIC: readonly string[] = [
	"GET /page/page.js",
	"HEAD /page/page.js",
	"GET /page/page.css",
	"HEAD /page/page.css",
	"GET /page/icon.svg",
	"HEAD /page/icon.svg",
];
const EXCHANGE = "POST /page/api/session";
/** The body of a stranger: nobody's share of the room for bodies counts it. */
const LONGEST_EXCHANGE = 1_024;

/** How requests of the page are let in: everything below `/page/api/` by a session, never by a key. */
export class PageDoor implements PageAdmission {
	readonly #sessions: PageSessions;

	constructor(sessions: PageSessions) {
		this.#sessions = sessions;
	}

	isPublic(request: IncomingMessage): boolean {
		const { method = "", url = "", headers } = request;
		const asked = `${method} ${url}`;
		if (asked === EXCHANGE) return Number(headers["content-length"]) <= LONGEST_EXCHANGE;
		return url === "/" ? wantsPage(request) : PUBLIC.includes(asked);
	}

	admit({ headers }: IncomingMessage): AdmittedCaller {
		if (sessionOf({ headers }, this.#sessions) === undefined) throw noSession();
		return PAGE_CALLER;
	}
}

/**
 * Programs that look at `/` get what they got before there was a page; a browser asks for HTML. A HEAD only asks whether
 * there is a server, as Claude Code does at its start.
 */
export function wantsPage({ method, headers }: Pick<IncomingMessage, "method" | "headers">): boolean {
	return method === "HEAD" || (method === "GET" && /\btext\/html\b/i.test(headers.accept ?? ""));
}

/** What the session in a request is known by; undefined if it has none that is valid. */
export function sessionOf({ headers }: Pick<IncomingMessage, "headers">, sessions: PageSessions): string | undefined {
	const session = headers[SESSION_HEADER];
	return typeof session === "string" ? sessions.find(session) : undefined;
}

/** Throws unless the request was let in by a session: another spelling of its path may have been let in by a key. */
export function requireSession({ caller }: { caller?: AdmittedCaller }): void {
	if (caller !== PAGE_CALLER) throw noSession();
}

function noSession(): GatewayError {
	return new GatewayError("bad-key", "The page has no session here, or its session is over.", {
		nextStep: "Run `cursorwire open`.",
	});
}
