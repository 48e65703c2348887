import { randomBytes } from "node:crypto";
import { idOfKey } from "../../access/key-ring.ts";
import { makeKey } from "../../access/keys.ts";
import type { Settings } from "../../config/settings.ts";
import { addLimitedKey, revokeLimitedKey } from "../../guard/limit-book.ts";
import type { LimitTerms } from "../../guard/limit-text.ts";
import { leftLaunchFolders, removeLaunchFolder } from "../../launch/launch-folder.ts";
import { useBooks } from "../with-books.ts";

/** How long a key stays valid after its launch was killed. */
const LEASE_MS = 60 * 60_000;
/** A timer does not count the time that a machine sleeps, so the wall clock is looked at often. */
const LOOK_EVERY_MS = 5_000;

/** A key for one launch. It ends with the launch, or, if that is killed, by itself (ADR 49). */
export class LaunchKey {
	readonly key = makeKey(randomBytes);
	readonly id = idOfKey(this.key);
	readonly #settings: Settings;
	#expiresAt = 0;
	#timer: NodeJS.Timeout | undefined;
	#renewing = false;

	constructor(settings: Settings) {
		this.#settings = settings;
	}

	/** Makes it valid, and ends what launches left behind that were killed. */
	async add(name: string, terms: readonly LimitTerms[]): Promise<void> {
		this.#expiresAt = Date.now() + LEASE_MS;
		const { key } = this;
		const expiresAt = this.#expiresAt;
		await useBooks(this.#settings, async ({ ring, book }) => {
			for (const left of await leftLaunchFolders(this.#settings.dataDir, Date.now())) {
				await revokeLimitedKey(ring, book, left.name);
				removeLaunchFolder(left.path);
			}
			await addLimitedKey(ring, book, { name, key, terms, expiresAt, random: randomBytes });
		});
		this.#timer = setInterval(() => void this.#renewIfDue(), LOOK_EVERY_MS).unref();
	}

	async revoke(): Promise<void> {
		clearInterval(this.#timer);
		await useBooks(this.#settings, ({ ring, book }) => revokeLimitedKey(ring, book, this.id));
	}

	async #renewIfDue(): Promise<void> {
		if (this.#renewing || this.#expiresAt - Date.now() > LEASE_MS / 2) return;
		this.#renewing = true;
		const expiresAt = Date.now() + LEASE_MS;
		try {
			await useBooks(this.#settings, ({ ring }) => ring.renew(this.id, expiresAt));
			this.#expiresAt = expiresAt;
		} catch {
			// The store is away; there are many more attempts before the key expires.
		} finally {
			this.#renewing = false;
		}
	}
}
