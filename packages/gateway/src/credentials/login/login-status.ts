import type { Settings } from "../../config/settings.ts";
import { GatewayError } from "../../turn/error.ts";
import type { Credential } from "../credential.ts";
import type { CredentialStore } from "../open-account.ts";
import { wrongOrigin } from "../origin.ts";
import { readClaims } from "../token/jwt.ts";
import { sessionTokenEnded } from "../token/renew.ts";
import type { VaultPlace } from "../vault/vault.ts";

/** What `cursorwire status` shows; with `--json` it is printed as it is. */
export interface LoginStatus {
	signedIn: boolean;
	upstream: string;
	kind?: Credential["kind"];
	/** As the token says, which Cursor has signed. */
	userId?: string;
	/** When the access token expires. It can be renewed unless it is a session token. */
	expiresAt?: string;
	renewable?: boolean;
	/** `environment`: CURSOR_API_KEY. */
	source: "environment" | "vault";
	vault: VaultPlace["kind"];
	path?: string;
	/** Why they are signed out, and what to do about it. */
	problem?: { message: string; nextStep: string };
	/** Other information for the person: why they are signed out, why the keychain is not used. */
	notes: string[];
}

export async function statusOf(
	settings: Pick<Settings, "apiKey">,
	{ client, keeper, vault, note }: CredentialStore,
): Promise<LoginStatus> {
	const place = await vault.place();
	const why = note();
	const base = {
		upstream: client.origin,
		vault: place.kind,
		path: place.kind === "file" ? place.path : undefined,
		notes: why === undefined ? [] : [why],
	};
	if (settings.apiKey !== "") {
		return { ...base, signedIn: true, kind: "api-key", renewable: true, source: "environment" };
	}
	try {
		const stored = await keeper.load();
		if (stored === undefined) throw new GatewayError("signed-out");
		if (stored.origin !== client.origin) throw wrongOrigin(stored.origin, client.origin);
		const known = describe(stored);
		if (known.signedIn) return { ...base, ...known, source: "vault" };
		return signedOut({ ...base, ...known }, sessionTokenEnded(stored.access!, Date.now()));
	} catch (error) {
		if (!(error instanceof GatewayError)) throw error;
		return signedOut(base, error);
	}
}

type Base = Pick<LoginStatus, "upstream" | "vault" | "path" | "notes">;

/** The reason comes first. It may already say why the keychain cannot be used. */
function signedOut(base: Base, { message, nextStep, fullMessage }: GatewayError): LoginStatus {
	const notes = [fullMessage, ...base.notes.filter((note) => !fullMessage.includes(note))];
	return { ...base, signedIn: false, source: "vault", problem: { message, nextStep }, notes };
}

type Known = Pick<LoginStatus, "signedIn" | "kind" | "userId" | "expiresAt" | "renewable">;

function describe(credential: Credential): Known {
	const { kind, access } = credential;
	const renewable = kind !== "session-token";
	const expiresAt = access && new Date(access.expiresAt).toISOString();
	const userId = access && readClaims(access.value.reveal())?.subject?.replace(/^auth0\|/, "");
	return { signedIn: renewable || access!.expiresAt > Date.now(), kind, userId, expiresAt, renewable };
}
