// The session of this tab. Its code comes once, behind `#` in the address that `cursorwire open` opened.
import { signal } from "@preact/signals";
import type { SessionAnswer, SessionRequest } from "../../../gateway/src/page/contract.ts";

const KEPT_AS = "cursorwire-session";

export type SessionState = "none" | "opening" | "open" | "refused" | "over" | "signed-out" | "unreachable";

export const sessionState = signal<SessionState>("none");
let session: string | undefined;

export const sessionHeader = (): Record<string, string> =>
	session === undefined ? {} : { "x-cursorwire-session": session };

/** A code is longer than any route and has no slash. */
export const codeIn = (hash: string): string | undefined => /^#([\w-]{32,})$/.exec(hash)?.[1];

/** Takes the code out of the address, or the session that this tab has from before. */
export async function openSession(): Promise<void> {
	const code = codeIn(location.hash);
	if (code === undefined) return keepSession(sessionStorage.getItem(KEPT_AS) ?? undefined);
	history.replaceState(null, "", location.pathname);
	sessionState.value = "opening";
	try {
		const answer = await exchange({ code });
		keepSession(answer?.session);
		if (answer === undefined) sessionState.value = "refused";
	} catch {
		sessionState.value = "unreachable";
	}
}

async function exchange(body: SessionRequest): Promise<SessionAnswer | undefined> {
	const headers = { "content-type": "application/json" };
	const response = await fetch("/page/api/session", { method: "POST", headers, body: JSON.stringify(body) });
	return response.ok ? ((await response.json()) as SessionAnswer) : undefined;
}

function keepSession(value: string | undefined): void {
	session = value;
	if (value === undefined) sessionStorage.removeItem(KEPT_AS);
	else sessionStorage.setItem(KEPT_AS, value);
	sessionState.value = value === undefined ? "none" : "open";
}

/** The gateway does not know the session any more. */
export function sessionIsOver(): void {
	keepSession(undefined);
	sessionState.value = "over";
}

export async function signOut(): Promise<void> {
	const headers = sessionHeader();
	keepSession(undefined);
	sessionState.value = "signed-out";
	// It is gone here in any case; a gateway that cannot be reached forgets it in time.
	await fetch("/page/api/session", { method: "DELETE", headers }).catch(() => undefined);
}
