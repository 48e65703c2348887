import type { Clock } from "../time/clock.ts";
import { GatewayError, toGatewayError } from "../turn/error.ts";
import { ERROR_KINDS } from "../turn/error-kinds.ts";
import type { Credential } from "./credential.ts";
import type { AuthClient } from "./login/auth-client.ts";
import type { Secret } from "./secret.ts";
import type { AccessToken } from "./token/access-token.ts";
import type { CredentialKeeper, Renewal } from "./token/keeper.ts";
import { renewCredential } from "./token/renew.ts";
import type { SharedLogins } from "./token/shared-logins.ts";

export interface AccountOptions {
	/** Identifies the account without revealing a secret. Accounts with different keys never share a connection. */
	key: string;
	keeper: CredentialKeeper;
	client: AuthClient;
	clock: Clock;
	/** Wall-clock time in milliseconds. */
	now: () => number;
	/** The gateways with the same login. */
	shared?: SharedLogins | undefined;
}

interface Failure {
	error: GatewayError;
	until: number;
	login: string | undefined;
	revision: number | undefined;
}

/** How long it takes a running gateway to notice a login or logout by another process. */
const RELOAD_AFTER_MS = 5_000;
/** The pause after a refusal, or while the old token is still valid: asking more often would not help. */
const HOLD_OFF_MS = 30_000;
const RETRY_MS = 5_000;

/** A Cursor account as the rest of the gateway sees it: a source of access tokens. */
export class Account {
	readonly key: string;
	readonly #options: AccountOptions;
	#known: Credential | undefined;
	#loadedAt = Number.NEGATIVE_INFINITY;
	#refused: Secret | undefined;
	#renewal: Promise<Credential> | undefined;
	#failure: Failure | undefined;

	constructor(options: AccountOptions) {
		this.key = options.key;
		this.#options = options;
	}

	/** The origin that the tokens are for. They must not be sent anywhere else. */
	get origin(): string {
		return this.#options.client.origin;
	}

	/** A token that works, if one is known without asking anybody; otherwise `token` finds one. */
	get readyToken(): Secret | undefined {
		const access = this.#isCurrent ? this.#known?.access : undefined;
		return access !== undefined && this.#isFresh(access) ? access.value : undefined;
	}

	/** Which login it is, without revealing a secret; undefined if there is none. */
	async login(): Promise<string | undefined> {
		return (await this.#current().catch(() => undefined))?.login;
	}

	/** When the known access token expires, in milliseconds since 1970. */
	get expiresAt(): number | undefined {
		return this.#known?.access?.expiresAt;
	}

	/**
	 * An access token that is valid for some more minutes, renewed if necessary. Concurrent callers share one renewal.
	 * Rejects with `signed-out` if there is no login, or with the reason if renewing fails and the old token has expired.
	 */
	async token(): Promise<Secret> {
		const { access } = await this.#current();
		if (access !== undefined && this.#isFresh(access)) return access.value;
		try {
			this.#renewal ??= this.#renew().finally(() => {
				this.#renewal = undefined;
			});
			return (await this.#renewal).access!.value;
		} catch (error) {
			if (access !== undefined && this.#isValid(access)) return access.value;
			throw error;
		}
	}

	/**
	 * To be called when the upstream rejects this token as `unauthenticated`. Resolves with another token for a single
	 * retry, or rejects with the error for the user. If the token has been replaced since, nothing is renewed again.
	 */
	async tokenRefused(token: Secret): Promise<Secret> {
		if (this.#known?.access === undefined || this.#known.access.value.equals(token)) this.#refused = token;
		return this.token();
	}

	/** Whether the account has been signed out. Nothing of it is kept from then on. */
	async isSignedOut(): Promise<boolean> {
		return (await this.loginProblem())?.kind === "signed-out";
	}

	/** Why there is no login that could be used; undefined if there is one. Cursor is not asked. */
	async loginProblem(): Promise<GatewayError | undefined> {
		try {
			await this.#current();
			return undefined;
		} catch (error) {
			return toGatewayError(error);
		}
	}

	/** What is known was loaded a moment ago, and nothing has failed since. */
	get #isCurrent(): boolean {
		return this.#failure === undefined && this.#options.clock.now() - this.#loadedAt < RELOAD_AFTER_MS;
	}

	async #current(): Promise<Credential> {
		const { keeper, client, clock } = this.#options;
		if (this.#known !== undefined && this.#isCurrent) return this.#known;
		const known = await keeper.load().catch((error) => {
			// A vault that temporarily cannot be read (locked, being repaired) does not mean a logout.
			if (this.#known === undefined) throw error;
			return this.#known;
		});
		this.#known = undefined;
		if (known === undefined) throw new GatewayError("signed-out");
		client.requireOrigin(known.origin);
		this.#known = known;
		this.#loadedAt = clock.now();
		if (this.#failure?.login !== known.login || this.#failure.revision !== known.revision) this.#failure = undefined;
		return known;
	}

	async #renew(): Promise<Credential> {
		const { keeper, client, clock, now, shared } = this.#options;
		if (this.#failure !== undefined && clock.now() < this.#failure.until) throw this.#failure.error;
		const tried = this.#known;
		try {
			const alone: Renewal = {
				isDue: ({ access }) => access === undefined || !this.#isFresh(access),
				spend: (kept) => renewCredential(kept, { client, clock, now }),
			};
			const together = shared && { ...alone, spend: (kept: Credential) => shared.spend(kept, alone) };
			const renewed = await keeper.renew(together ?? alone);
			client.requireOrigin(renewed.origin);
			this.#failure = undefined;
			this.#known = renewed;
			return renewed;
		} catch (cause) {
			const error = toGatewayError(cause);
			const until = clock.now() + this.#holdOff(error, tried?.access);
			this.#failure = { error, until, login: tried?.login, revision: tried?.revision };
			throw error;
		}
	}

	#holdOff(error: GatewayError, access: AccessToken | undefined): number {
		const isFinal = ERROR_KINDS[error.kind].retry === "never";
		if (isFinal || (access !== undefined && this.#isValid(access))) return HOLD_OFF_MS;
		return Math.min((error.retryAfterSeconds ?? 0) * 1000 || RETRY_MS, HOLD_OFF_MS);
	}

	#isFresh(access: AccessToken): boolean {
		return this.#options.now() < access.renewAt && !this.#isRefused(access);
	}

	#isValid(access: AccessToken): boolean {
		return this.#options.now() < access.expiresAt && !this.#isRefused(access);
	}

	#isRefused(access: AccessToken): boolean {
		return this.#refused?.equals(access.value) ?? false;
	}
}
