import type { Clock } from "../time/clock.ts";
import { GatewayError, toGatewayError } from "../turn/error.ts";
import { ERROR_KINDS } from "../turn/error-kinds.ts";
import type { Credential } from "./credential.ts";
import type { AuthClient } from "./login/auth-client.ts";
import type { Secret } from "./secret.ts";
import type { AccessToken } from "./token/access-token.ts";
import type { CredentialKeeper } from "./token/keeper.ts";
import { renewCredential } from "./token/renew.ts";

export interface AccountOptions {
	/** A name for whose account it is that tells no secret: connections of different names are never shared. */
	key: string;
	keeper: CredentialKeeper;
	client: AuthClient;
	clock: Clock;
	/** Wall-clock time in milliseconds. */
	now: () => number;
}

interface Failure {
	error: GatewayError;
	until: number;
	login: string | undefined;
	revision: number | undefined;
}

/** So soon a running gateway notices a login or logout by another process. */
const LOOK_AGAIN_MS = 5_000;
/** After a refusal, or while the old token still lives, nothing is gained by asking often. */
const HOLD_OFF_MS = 30_000;
const RETRY_MS = 5_000;

/** A Cursor account as the rest of the gateway sees it: a source of access tokens. */
export class Account {
	readonly key: string;
	readonly #options: AccountOptions;
	#known: Credential | undefined;
	#lookedAt = Number.NEGATIVE_INFINITY;
	#refused: Secret | undefined;
	#renewal: Promise<Credential> | undefined;
	#failure: Failure | undefined;

	constructor(options: AccountOptions) {
		this.key = options.key;
		this.#options = options;
	}

	/** The origin that the tokens are for; sending them anywhere else is a mistake. */
	get origin(): string {
		return this.#options.client.origin;
	}

	/**
	 * An access token that is good for some minutes, renewed if need be. However many ask at once, there is one renewal.
	 * Rejects with `signed-out` where there is no login, and with the reason where renewing fails and no old token lives.
	 */
	async token(): Promise<Secret> {
		const { access } = await this.#current();
		if (access !== undefined && this.#isGood(access)) return access.value;
		try {
			this.#renewal ??= this.#renew().finally(() => {
				this.#renewal = undefined;
			});
			return (await this.#renewal).access!.value;
		} catch (error) {
			if (access !== undefined && this.#isAlive(access)) return access.value;
			throw error;
		}
	}

	/**
	 * To be called when the upstream answers `unauthenticated` to this token: resolves with another one for the one
	 * retry, or rejects with what to tell the user. A token that was replaced since costs no further renewal.
	 */
	async tokenRefused(token: Secret): Promise<Secret> {
		if (this.#known?.access === undefined || this.#known.access.value.equals(token)) this.#refused = token;
		return this.token();
	}

	/** Whether the login was given up. Nothing of it is kept from then on. */
	async isSignedOut(): Promise<boolean> {
		try {
			await this.#current();
			return false;
		} catch (error) {
			return error instanceof GatewayError && error.kind === "signed-out";
		}
	}

	async #current(): Promise<Credential> {
		const { keeper, client, clock } = this.#options;
		const isRecent = clock.now() - this.#lookedAt < LOOK_AGAIN_MS;
		if (this.#known !== undefined && isRecent && this.#failure === undefined) return this.#known;
		const known = await keeper.load().catch((error) => {
			// A vault that cannot be read for a while (locked, being repaired) is no logout.
			if (this.#known === undefined) throw error;
			return this.#known;
		});
		this.#known = undefined;
		if (known === undefined) throw new GatewayError("signed-out");
		client.requireOrigin(known.origin);
		this.#known = known;
		this.#lookedAt = clock.now();
		if (this.#failure?.login !== known.login || this.#failure.revision !== known.revision) this.#failure = undefined;
		return known;
	}

	async #renew(): Promise<Credential> {
		const { keeper, client, clock, now } = this.#options;
		if (this.#failure !== undefined && clock.now() < this.#failure.until) throw this.#failure.error;
		const tried = this.#known;
		try {
			const renewed = await keeper.renew({
				isDue: ({ access }) => access === undefined || !this.#isGood(access),
				spend: (kept) => renewCredential(kept, { client, clock, now }),
			});
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
		if (isFinal || (access !== undefined && this.#isAlive(access))) return HOLD_OFF_MS;
		return Math.min((error.retryAfterSeconds ?? 0) * 1000 || RETRY_MS, HOLD_OFF_MS);
	}

	#isGood(access: AccessToken): boolean {
		return this.#options.now() < access.renewAt && !this.#isRefused(access);
	}

	#isAlive(access: AccessToken): boolean {
		return this.#options.now() < access.expiresAt && !this.#isRefused(access);
	}

	#isRefused(access: AccessToken): boolean {
		return this.#refused?.equals(access.value) ?? false;
	}
}
