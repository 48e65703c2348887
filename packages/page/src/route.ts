// Which view the part of the address behind `#` names.
import { signal } from "@preact/signals";
import { codeIn, openSession } from "./gateway/session.ts";

export const VIEWS = ["now", "plan", "turns", "models", "clients", "health"] as const;
export type View = (typeof VIEWS)[number];

export interface Route {
	view: View;
	/** The turn that is shown in detail. */
	turn?: number;
	/** What follows a question mark: which turns are to be listed. */
	query?: string;
}

export function routeOf(hash: string): Route {
	const [, name, id, query] = /^#\/(\w+)(?:\/(\d+))?(?:\?(.*))?$/.exec(hash) ?? [];
	const view = VIEWS.find((candidate) => candidate === name) ?? "now";
	if (view !== "turns") return { view };
	return { view, ...(id !== undefined && { turn: Number(id) }), ...(query !== undefined && { query }) };
}

export const route = signal<Route>({ view: "now" });

export function followAddress(): void {
	const read = () => {
		if (codeIn(location.hash) !== undefined) void openSession();
		route.value = routeOf(location.hash);
	};
	addEventListener("hashchange", read);
	read();
}

export const openTurn = (id: number): void => {
	location.hash = `#/turns/${id}`;
};
