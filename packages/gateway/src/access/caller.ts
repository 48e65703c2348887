import { createHash } from "node:crypto";
import type { StoredKey } from "../store/store.ts";
import { type Soon, soon } from "../time/soon.ts";
import { GatewayError } from "../turn/error.ts";
import { isGatewayKey } from "./keys.ts";

/** Who sends a request. Sessions, history and limits belong to a caller. It contains no secret. */
export interface Caller {
	/** Stable across restarts, and different for every key and every credential. */
	id: string;
	kind: "key" | "credential" | "anonymous" | "page";
	keyId?: string;
	/** How many turns this caller may run at once, if its key has a limit of its own. */
	concurrentTurns?: number;
	/** There are limits on what may be spent with its key. */
	hasSpendLimits?: true;
	/** What its key is for, if that is one thing only. */
	only?: StoredKey["kind"];
}

/** The caller of a request that was let in. */
export interface AdmittedCaller extends Caller {
	/** The name of its key. */
	name?: string;
	/** The Cursor credential that was sent as the key, stripped of its prefix. The request runs on its account. */
	credential?: string;
}

export interface AdmissionRules {
	keys: { find(presented: string): Soon<StoredKey | undefined> };
	/** The secret in a Cursor API key, session token or access token, however it is written. */
	cursorCredential(text: string): { secret: string; meaning: string } | undefined;
	/** Whether such credentials count as keys. */
	acceptCredentials: boolean;
	/** Whether requests without a gateway key are let in too. */
	noAuth: boolean;
}

/** The one caller that all requests without a key belong to. */
export const ANONYMOUS: Caller = { id: "anonymous", kind: "anonymous" };

/** The one caller that all requests with a session of the page belong to. No key can be it. */
export const PAGE_CALLER: AdmittedCaller = Object.freeze({ id: "page", kind: "page" });

/** The caller that the presented key stands for, or the error that refuses it. */
export function admit(presented: string | undefined, rules: AdmissionRules): Soon<AdmittedCaller | GatewayError> {
	if (presented === undefined) return admitWithoutKey(presented, rules);
	return soon(rules.keys.find(presented), callerWith, presented, rules);
}

const callerWith = (record: StoredKey | undefined, presented: string, rules: AdmissionRules) =>
	record ? admittedCaller(record) : admitWithoutKey(presented, rules);

/** Callers by their record, which stays the same object until the keys are read again. */
const admitted = new WeakMap<StoredKey, AdmittedCaller>();

function admittedCaller(record: StoredKey): AdmittedCaller {
	const known = admitted.get(record);
	if (known) return known;
	const caller = { ...callerOfKey(record), name: record.name };
	admitted.set(record, caller);
	return caller;
}

function admitWithoutKey(
	presented: string | undefined,
	{ cursorCredential, acceptCredentials, noAuth }: AdmissionRules,
): AdmittedCaller | GatewayError {
	// A mistyped or revoked gateway key is never treated as a credential and sent to Cursor.
	const credential = presented === undefined || isGatewayKey(presented) ? undefined : cursorCredential(presented);
	if (credential) {
		// With noAuth too: the request would otherwise run on a different account than its sender means.
		if (!acceptCredentials) return notSwitchedOn();
		return { ...callerOfCredential(credential.meaning), credential: credential.secret };
	}
	// Most clients always send some key, so with noAuth an unknown one is ignored.
	return noAuth ? ANONYMOUS : new GatewayError("bad-key");
}

export function callerOfKey({ id, limits, kind }: StoredKey): Caller {
	const { concurrentTurns, hasSpendLimits } = limits ?? {};
	return {
		id: callerId("key", id),
		kind: "key",
		keyId: id,
		...(concurrentTurns !== undefined && { concurrentTurns }),
		...(hasSpendLimits && { hasSpendLimits }),
		...(kind !== undefined && { only: kind }),
	};
}

/**
 * Identified by the whole meaning of a credential, so that another spelling of it is the same caller. The user named in
 * a token would be more stable, but we cannot verify a token, and a forged one must not reach that user's data.
 */
export function callerOfCredential(meaning: string): Caller {
	return { id: callerId("credential", meaning), kind: "credential" };
}

function notSwitchedOn(): GatewayError {
	return new GatewayError("bad-key", "This gateway does not accept Cursor's own credentials as keys.", {
		nextStep:
			"Send the key that `cursorwire keys` shows, or start the gateway with --accept-cursor-credentials (setting acceptCursorCredentials).",
	});
}

/** Whether the requests of this caller bring the credential of the account they run on. */
export const bringsCredential = (id: string): boolean => id.startsWith("credential-");

function callerId(kind: "key" | "credential", value: string): string {
	return `${kind}-${createHash("sha256").update(`${kind}:${value}`).digest("base64url")}`;
}
