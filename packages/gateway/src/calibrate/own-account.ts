import type { Settings } from "../config/settings.ts";
import { STORED_ACCOUNT } from "../credentials/open-account.ts";
import { Secret } from "../credentials/secret.ts";

/** The key under which the answers for the account of this installation are stored. */
export function ownAccountKey({ apiKey }: Pick<Settings, "apiKey">): string {
	return apiKey === "" ? STORED_ACCOUNT : new Secret(apiKey).fingerprint();
}
