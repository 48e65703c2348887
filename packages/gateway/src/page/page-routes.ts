import type { AdmittedCaller } from "../access/caller.ts";
import type { ApiParts } from "../routes/api-parts.ts";
import type { Route } from "../server/exchange.ts";
import { assetRoutes } from "./assets/asset-routes.ts";
import type { LivePages } from "./live/live-pages.ts";
import { live, type Stopper, stop } from "./live/live-routes.ts";
import { requireSession } from "./session/page-door.ts";
import type { PageSessions } from "./session/page-sessions.ts";
import { endSession, openSession, pageCode } from "./session/session-routes.ts";

type PageRoute = Route<AdmittedCaller>;

export interface PageParts extends Stopper {
	sessions: PageSessions;
	pages: LivePages;
	/** What the views show. Their paths begin with `/page/api/`. */
	data: readonly PageRoute[];
}

/** How the owner gets to the page. Undefined: this gateway has none. */
export function codeRoute(sessions: PageSessions | undefined, isOwner: ApiParts["isOwner"]): PageRoute {
	return { method: "POST", path: "/v1/cursorwire/page-code", handler: pageCode(sessions, { isOwner }) };
}

/** Everything that the page consists of and asks for. */
export function pageRoutes(parts: PageParts): PageRoute[] {
	const { sessions, pages, data } = parts;
	const own: PageRoute[] = [
		{ method: "DELETE", path: "/page/api/session", handler: endSession(sessions) },
		{ method: "GET", path: "/page/api/live", handler: live(pages, sessions) },
		{ method: "POST", path: "/page/api/turns/:requestId/stop", handler: stop(parts) },
	];
	return [
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
