import { createHash } from "node:crypto";
import type { StoredKey } from "../store/store.ts";
import { GatewayError } from "../turn/error.ts";
import { isGatewayKey } from "./keys.ts";

/** Who sends a request. Sessions, history and limits belong to a caller; there is no secret in it. */
export interface Caller {
	/** Stable over restarts, different for every key and every credential. */
	id: string;
	kind: "key" | "credential" | "anonymous";
	keyId?: string;
	/** Turns this caller may have under way at once, where its key says so. */
	concurrentTurns?: number;
}

/** A request that may come in. */
export interface Admission {
	caller: Caller;
	/** The Cursor credential that came as the key, without what was around it: the request runs on its account. */
	credential?: string;
}

export interface AdmissionRules {
	keys: { find(presented: string): Promise<StoredKey | undefined> };
	/** The secret in an API key, session token or access token of Cursor, however it is written. */
	cursorCredential(text: string): { secret: string; meaning: string } | undefined;
	/** Such credentials count as keys. */
	acceptCredentials: boolean;
	/** Whoever shows no key of ours comes in as well. */
	noAuth: boolean;
}

/** Without keys all requests are one caller's. */
export const ANONYMOUS: Caller = { id: "anonymous", kind: "anonymous" };

/** Who it is, by the key that is shown. */
export async function admit(
	presented: string | undefined,
	{ keys, cursorCredential, acceptCredentials, noAuth }: AdmissionRules,
): Promise<Admission | GatewayError> {
	const record = presented === undefined ? undefined : await keys.find(presented);
	if (record) return { caller: callerOfKey(record) };
	// A gateway key that is mistyped or revoked is never taken for something to send to Cursor.
	const credential = presented === undefined || isGatewayKey(presented) ? undefined : cursorCredential(presented);
	if (credential) {
		// Also without keys: it would run on another account than the one its sender means.
		if (!acceptCredentials) return notSwitchedOn();
		return { caller: callerOfCredential(credential.meaning), credential: credential.secret };
	}
	// Most clients insist on sending some key.
	return noAuth ? { caller: ANONYMOUS } : new GatewayError("bad-key");
}

export function callerOfKey({ id, limits }: StoredKey): Caller {
	const { concurrentTurns } = limits ?? {};
	return { id: callerId("key", id), kind: "key", keyId: id, ...(concurrentTurns !== undefined && { concurrentTurns }) };
}

/**
 * By all that a credential means, so that spelling it in another way makes no other caller. The user named in a token
 * would be stabler, but we cannot verify a token, and who forges one must not get at what is kept for that user.
 */
export function callerOfCredential(meaning: string): Caller {
	return { id: callerId("credential", meaning), kind: "credential" };
}

function notSwitchedOn(): GatewayError {
	return new GatewayError("bad-key", "This gateway does not take Cursor's own credentials as keys.", {
		nextStep:
			"Send the key that `cursorwire keys` shows, or start the gateway with --accept-cursor-credentials (setting acceptCursorCredentials).",
	});
}

/** Whether requests of this caller run on an account that they bring along. */
export const bringsCredential = (id: string): boolean => id.startsWith("credential-");

function callerId(kind: "key" | "credential", value: string): string {
	return `${kind}-${createHash("sha256").update(`${kind}:${value}`).digest("base64url")}`;
}
