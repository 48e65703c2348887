import { randomBytes } from "node:crypto";
import { RpcFailure } from "../rpc/failure.ts";
import type { Account, AccountFile } from "./account.ts";
import type { Model } from "./model-catalog.ts";
import { issueToken, readToken } from "./signed-tokens.ts";

export interface MintedKey {
	id: number;
	key: string;
	name: string;
	createdAt: number;
	expiresAt: number | undefined;
}

export interface TokenPair {
	accessToken: string;
	refreshToken: string;
}

/** The accounts, their credentials and their quota. */
export class Directory {
	readonly models: readonly Model[];
	readonly #accounts: Account[];
	readonly #settings: AccountFile["tokens"];
	readonly #minted = new Map<string, MintedKey[]>();
	readonly #spentRefreshTokens = new Set<string>();
	readonly #now: () => number;
	#accessGeneration = 0;

	constructor(file: AccountFile, now: () => number) {
		this.#accounts = file.accounts;
		this.models = file.models;
		this.#settings = file.tokens;
		this.#now = now;
	}

	get first(): Account {
		return this.#accounts[0]!;
	}

	byId(id: string): Account | undefined {
		return this.#accounts.find((account) => account.id === id);
	}

	byApiKey(key: string): Account | undefined {
		const owner = this.#accounts.find((account) => account.apiKeys.includes(key) || this.#ownsMinted(account, key));
		// acceptAnyKey does not apply to tokens.
		return owner ?? (readToken(key) ? undefined : this.#accounts.find((account) => account.acceptAnyKey));
	}

	/** The account of an access token. Throws the backend's error for a bad or expired one: docs/protocol.md, Errors. */
	byAccessToken(bearer: string | undefined): Account {
		const token = bearerToken(bearer);
		if (!token) throw notLoggedIn("ERROR_NOT_LOGGED_IN", "No access token was sent.");
		const claims = readToken(token);
		if (claims?.type !== "access") throw notLoggedIn("ERROR_NOT_LOGGED_IN", "The access token is not valid.");
		const account = this.byId(claims.sub.replace("auth0|", ""));
		if (!account) throw notLoggedIn("ERROR_USER_NOT_FOUND", "The user does not exist.");
		if (claims.exp * 1000 <= this.#now() || claims.gen < this.#accessGeneration) {
			throw notLoggedIn("ERROR_AUTH_TOKEN_EXPIRED", "The access token has expired.");
		}
		return account;
	}

	issue(account: Account): TokenPair {
		return {
			accessToken: issueToken(
				account.id,
				"access",
				this.#settings.accessLifeSeconds,
				this.#now(),
				this.#accessGeneration,
			),
			refreshToken: issueToken(account.id, "refresh", this.#settings.refreshLifeSeconds, this.#now()),
		};
	}

	/** A new pair for a refresh token; undefined if it is not valid, has expired or was used already. */
	refresh(refreshToken: string): TokenPair | undefined {
		const claims = readToken(refreshToken);
		if (claims?.type !== "refresh" || claims.exp * 1000 <= this.#now()) return undefined;
		if (this.#spentRefreshTokens.has(claims.jti)) return undefined;
		if (this.#settings.singleUseRefresh) this.#spentRefreshTokens.add(claims.jti);
		const account = this.byId(claims.sub.replace("auth0|", ""));
		return account && this.issue(account);
	}

	isRefreshToken(token: string): boolean {
		return readToken(token)?.type === "refresh";
	}

	/** All access tokens issued so far stop working. */
	expireAccessTokens(): void {
		this.#accessGeneration += 1;
	}

	mintKey(account: Account, name: string, expiresAt: number | undefined): MintedKey {
		const keys = this.keysOf(account);
		const key = {
			id: keys.length + 1,
			key: `crsr_${randomBytes(24).toString("hex")}`,
			name,
			createdAt: this.#now(),
			expiresAt,
		};
		this.#minted.set(account.id, [...keys, key]);
		return key;
	}

	keysOf(account: Account): MintedKey[] {
		return this.#minted.get(account.id) ?? [];
	}

	revokeKey(account: Account, id: number): void {
		this.#minted.set(
			account.id,
			this.keysOf(account).filter((key) => key.id !== id),
		);
	}

	/** Adds the cost of a turn to the account's quota. */
	charge(account: Account, model: Model, tokens: number): void {
		account.quota[model.pool].usedCents += tokens / 1000;
	}

	poolIsEmpty(account: Account, model: Model): boolean {
		const pool = account.quota[model.pool];
		return pool.usedCents >= pool.limitCents;
	}

	#ownsMinted(account: Account, key: string): boolean {
		return this.keysOf(account).some(
			(minted) => minted.key === key && (minted.expiresAt === undefined || minted.expiresAt > this.#now()),
		);
	}
}

export function bearerToken(header: string | undefined): string | undefined {
	return /^Bearer\s+(.+)$/i.exec(header ?? "")?.[1];
}

function notLoggedIn(
	error: "ERROR_NOT_LOGGED_IN" | "ERROR_USER_NOT_FOUND" | "ERROR_AUTH_TOKEN_EXPIRED",
	detail: string,
) {
	return new RpcFailure("unauthenticated", "Error", { error, title: "Authentication error", detail });
}
