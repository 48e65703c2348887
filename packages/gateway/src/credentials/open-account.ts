import { join } from "node:path";
import type { Settings } from "../config/settings.ts";
import { FileLock } from "../files/lock.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import type { Transport } from "../wire/stream.ts";
import { Account } from "./account.ts";
import { apiKeyCredential, type Credential, sessionTokenCredential } from "./credential.ts";
import { AuthClient } from "./login/auth-client.ts";
import type { WrittenCredential } from "./parse-credential.ts";
import { Secret } from "./secret.ts";
import { MemoryKeeper } from "./token/keeper.ts";
import type { SharedLogins } from "./token/shared-logins.ts";
import { loadKeychain } from "./vault/keychain-process.ts";
import type { LoadKeychain } from "./vault/keychain-vault.ts";
import { openVault } from "./vault/open-vault.ts";
import type { Vault } from "./vault/vault.ts";
import { VaultKeeper } from "./vault/vault-keeper.ts";

/** The dependencies of accounts and credential stores. Only the transport has no default. */
export interface CredentialOptions {
	transport: Transport;
	clock?: Clock;
	now?: () => number;
	random?: () => number;
	loadKeychain?: LoadKeychain;
	report?: (line: string) => void;
	/** The gateways with the same login. */
	shared?: SharedLogins | undefined;
}

type CredentialSettings = Pick<Settings, "upstream" | "dataDir" | "vault" | "apiKey">;

/** The key of the account whose login is stored by this installation. */
export const STORED_ACCOUNT = "stored";

/** The stored credential of this installation, for the commands that change or show it. */
export interface CredentialStore {
	client: AuthClient;
	vault: Vault;
	/** Why the keychain is not used although the settings allow it, and what to do about it. */
	note(): string | undefined;
	keeper: VaultKeeper;
}

export async function openCredentialStore(
	settings: CredentialSettings,
	options: CredentialOptions,
): Promise<CredentialStore> {
	const { transport, clock = systemClock, now = Date.now, random = Math.random, report } = options;
	const folder = join(settings.dataDir, "credentials");
	const { vault, note } = await openVault({
		vault: settings.vault,
		folder,
		loadKeychain: options.loadKeychain ?? loadKeychain,
		clock,
	});
	const lock = new FileLock({ path: join(folder, "lock"), clock, now, random });
	const keeper = new VaultKeeper({ vault, lock, report });
	return { client: new AuthClient(transport, settings.upstream), vault, note, keeper };
}

/** The account of this installation. An API key from the environment takes precedence over the stored login. */
export async function openAccount(settings: CredentialSettings, options: CredentialOptions): Promise<Account> {
	if (settings.apiKey !== "") {
		return accountOf({ kind: "api-key", apiKey: new Secret(settings.apiKey) }, settings.upstream, options);
	}
	const { client, keeper } = await openCredentialStore(settings, options);
	const { clock = systemClock, now = Date.now } = options;
	return new Account({ key: STORED_ACCOUNT, keeper, client, clock, now, shared: options.shared });
}

/** The account of a credential that is only kept in memory, such as one that a request sent as its key. */
export function accountOf(written: WrittenCredential, upstream: string, options: CredentialOptions): Account {
	const { transport, clock = systemClock, now = Date.now } = options;
	const client = new AuthClient(transport, upstream);
	const secret = written.kind === "api-key" ? written.apiKey : written.token;
	const keeper = new MemoryKeeper(newCredential(written, client.origin, now()));
	return new Account({ key: secret.fingerprint(), keeper, client, clock, now });
}

/** A written credential, bound to an origin. */
export function newCredential(written: WrittenCredential, origin: string, now: number): Credential {
	return written.kind === "api-key"
		? apiKeyCredential(origin, written.apiKey)
		: sessionTokenCredential(origin, written.token, now);
}
