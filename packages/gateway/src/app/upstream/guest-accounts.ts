import { CredentialChecks } from "../../access/credential-checks.ts";
import { meaningOf, type WrittenCredential } from "../../credentials/parse-credential.ts";
import type { Clock } from "../../time/clock.ts";
import { GatewayError } from "../../turn/error.ts";
import type { CursorAccount } from "../../upstream/account/cursor-account.ts";

export interface GuestAccountsOptions {
	clock: Clock;
	open(credential: WrittenCredential): CursorAccount;
	/** Closes the connections of an account, by its id. */
	release(id: string): void;
}

/** How many accounts are kept. */
const MOST_ACCOUNTS = 256;
/** As long as a parked run may wait for results. */
export const GUEST_IDLE_MS = 15 * 60_000;

/** Errors that mean Cursor refused the token or did not check it. Any other error comes after it was accepted. */
const NOT_ACCEPTED: ReadonlySet<string> = new Set([
	"signed-out",
	"rate-limited",
	"upstream-unavailable",
	"upstream-timeout",
	"upstream-stalled",
	"upstream-reset",
	"cancelled",
	"internal",
]);

/** The accounts of credentials that come with requests. Accounts that are not used are closed with all they hold. */
export class GuestAccounts {
	readonly #options: GuestAccountsOptions;
	readonly #checks: CredentialChecks;
	/** By the fingerprint of the credential, the least recently used first. */
	readonly #accounts = new Map<string, { account: CursorAccount; usedAt: number }>();
	#isSweepDue = false;

	constructor(options: GuestAccountsOptions) {
		this.#options = options;
		this.#checks = new CredentialChecks(options.clock);
	}

	/** Resolves if Cursor accepts the credential, and rejects with a `GatewayError` if not. */
	check(credential: WrittenCredential): Promise<void> {
		const key = meaningOf(credential).fingerprint();
		return this.#checks.check(key, async () => {
			try {
				await ask(this.of(credential));
			} catch (error) {
				this.#forget(key);
				throw error;
			}
		});
	}

	of(credential: WrittenCredential): CursorAccount {
		const key = meaningOf(credential).fingerprint();
		const account = this.#accounts.get(key)?.account ?? this.#options.open(credential);
		this.#accounts.delete(key);
		this.#accounts.set(key, { account, usedAt: this.#options.clock.now() });
		if (this.#accounts.size > MOST_ACCOUNTS) this.#forget(this.#accounts.keys().next().value!);
		this.#sweepLater();
		return account;
	}

	#forget(key: string): void {
		const account = this.#accounts.get(key)?.account;
		this.#accounts.delete(key);
		if (account) this.#options.release(account.id);
	}

	#sweepLater(): void {
		if (this.#isSweepDue) return;
		this.#isSweepDue = true;
		this.#options.clock.after(GUEST_IDLE_MS, () => {
			this.#isSweepDue = false;
			const oldest = this.#options.clock.now() - GUEST_IDLE_MS;
			for (const [key, { usedAt }] of this.#accounts) if (usedAt <= oldest) this.#forget(key);
			if (this.#accounts.size > 0) this.#sweepLater();
		});
	}
}

async function ask({ facts }: CursorAccount): Promise<void> {
	await facts.client.tokens.token();
	try {
		await facts.privacy.check();
	} catch (error) {
		if (!(error instanceof GatewayError) || NOT_ACCEPTED.has(error.kind)) throw error;
	}
}
