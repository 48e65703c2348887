import type { Settings } from "../../config/settings.ts";
import { GatewayError } from "../../turn/error.ts";
import type { Credential } from "../credential.ts";
import type { CredentialStore } from "../open-account.ts";
import { wrongOrigin } from "../origin.ts";
import type { VaultPlace } from "../vault/vault.ts";

/** What `cursorwire status` shows; with `--json` it is printed as it is. */
export interface LoginStatus {
	signedIn: boolean;
	upstream: string;
	kind?: Credential["kind"];
	/** When the access token expires. It can be renewed unless it is a session token. */
	expiresAt?: string;
	renewable?: boolean;
	/** `environment`: CURSOR_API_KEY. */
	source: "environment" | "vault";
	vault: VaultPlace["kind"];
	path?: string;
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
		return { ...base, ...describe(stored), source: "vault" };
	} catch (error) {
		if (!(error instanceof GatewayError)) throw error;
		return { ...base, signedIn: false, source: "vault", notes: [error.fullMessage, ...base.notes] };
	}
}

function describe(credential: Credential): Pick<LoginStatus, "signedIn" | "kind" | "expiresAt" | "renewable"> {
	const { kind, access } = credential;
	const renewable = kind !== "session-token";
	const expiresAt = access && new Date(access.expiresAt).toISOString();
	return { signedIn: renewable || access!.expiresAt > Date.now(), kind, expiresAt, renewable };
}
