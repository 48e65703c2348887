import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { Clock } from "../../time/clock.ts";
import { sleep } from "../../time/sleep.ts";
import type { Credential, SessionCredential } from "../credential.ts";
import type { Secret } from "../secret.ts";
import { decodeCredential, encodeCredential } from "../vault/credential-text.ts";
import type { Renewal } from "./keeper.ts";

/** Where gateways leave sealed logins for each other. All of it may fail. */
export interface LoginBoard {
	find(name: string): Promise<Uint8Array | undefined>;
	publish(name: string, sealed: Uint8Array): Promise<void>;
	/** What releases the lock; undefined while another gateway has it. */
	lock(name: string): Promise<(() => Promise<void>) | undefined>;
}

const ASK_AGAIN_MS = 200;
const IV_LENGTH = 12;
const TAG_LENGTH = 16;

/**
 * Gateways with the same browser login renew it once for all of them (ADR 62). Each renewal is left on the board, sealed
 * with the refresh token that it has used up: whoever has that token may know the next one, and nobody else can.
 */
export class SharedLogins {
	readonly #board: LoginBoard;
	readonly #clock: Clock;

	constructor(board: LoginBoard, clock: Clock) {
		this.#board = board;
		this.#clock = clock;
	}

	/** Renews, or finds what another gateway has renewed. Without the board this gateway goes on alone. */
	async spend(kept: Credential, { isDue, spend }: Renewal): Promise<Credential> {
		if (kept.kind !== "session") return spend(kept);
		for (let newest: Credential = kept; ; ) {
			newest = await this.#follow(newest).catch(() => newest);
			if (!isDue(newest) || newest.kind !== "session") return newest;
			const release = await this.#board.lock(newest.login).catch(() => async () => {});
			if (release) return this.#spendUnderLock(newest, { isDue, spend }, release);
			await sleep(ASK_AGAIN_MS, this.#clock);
		}
	}

	async #spendUnderLock(
		known: SessionCredential,
		{ isDue, spend }: Renewal,
		release: () => Promise<void>,
	): Promise<Credential> {
		try {
			const newest = await this.#follow(known).catch(() => known);
			if (!isDue(newest) || newest.kind !== "session") return newest;
			const renewed = await spend(newest);
			const name = nameOf(newest);
			await this.#board.publish(name, seal(encodeCredential(renewed), newest.refreshToken, name)).catch(() => {});
			return renewed;
		} finally {
			await release().catch(() => {});
		}
	}

	/** From renewal to renewal, as far as the board knows them. */
	async #follow(from: Credential): Promise<Credential> {
		let newest = from;
		for (;;) {
			if (newest.kind !== "session") return newest;
			const name = nameOf(newest);
			const sealed = await this.#board.find(name);
			if (!sealed) return newest;
			const next = decodeCredential(unseal(sealed, newest.refreshToken, name));
			if (next.revision <= newest.revision || next.origin !== newest.origin) return newest;
			newest = next;
		}
	}
}

const nameOf = ({ login, revision }: Credential): string => `${login}:${revision}`;

const keyFrom = (token: Secret, name: string): Buffer =>
	Buffer.from(hkdfSync("sha256", token.reveal(), name, "cursorwire renewed login", 32));

function seal(text: string, token: Secret, name: string): Uint8Array {
	const iv = randomBytes(IV_LENGTH);
	const cipher = createCipheriv("aes-256-gcm", keyFrom(token, name), iv);
	const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
	return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Throws if it was sealed with another token, or changed since. */
function unseal(bytes: Uint8Array, token: Secret, name: string): string {
	const iv = bytes.subarray(0, IV_LENGTH);
	const decipher = createDecipheriv("aes-256-gcm", keyFrom(token, name), iv);
	decipher.setAuthTag(bytes.subarray(IV_LENGTH, IV_LENGTH + TAG_LENGTH));
	return Buffer.concat([decipher.update(bytes.subarray(IV_LENGTH + TAG_LENGTH)), decipher.final()]).toString("utf8");
}
