import type { AdmittedCaller } from "../access/caller.ts";
import type { ApiParts } from "../routes/api-parts.ts";
import type { Route } from "../server/exchange.ts";
import { assetRoutes } from "./assets/asset-routes.ts";
import { requireSession } from "./session/page-door.ts";
import type { PageSessions } from "./session/page-sessions.ts";
import { endSession, openSession, pageCode } from "./session/session-routes.ts";

type PageRoute = Route<AdmittedCaller>;

export interface PageParts extends Pick<ApiParts, "isOwner"> {
	/** Undefined: this gateway has no page. */
	sessions: PageSessions | undefined;
	/** What the views show. Their paths begin with `/page/api/`. */
	data: readonly PageRoute[];
}

/** Everything that the page consists of and asks for, and how the owner gets to it. */
export function pageRoutes(parts: PageParts): PageRoute[] {
	const { sessions, data } = parts;
	const code: PageRoute = { method: "POST", path: "/v1/cursorwire/page-code", handler: pageCode(sessions, parts) };
	if (!sessions) return [code];
	const own: PageRoute[] = [{ method: "DELETE", path: "/page/api/session", handler: endSession(sessions) }];
	return [
		code,
		...assetRoutes(),
		{ method: "POST", path: "/page/api/session", handler: openSession(sessions) },
		...[...own, ...data].map(behindSession),
	];
}

/** The front door lets these in by a session alone. Whoever came in by another spelling of the path is refused here. */
function behindSession(route: PageRoute): PageRoute {
	return {
		...route,
		handler(requested) {
			requireSession(requested);
			return route.handler(requested);
		},
	};
}
