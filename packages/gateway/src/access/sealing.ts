import { join } from "node:path";
import { NONCE_BYTES, openSealed, SEAL_KEY_BYTES, sealText } from "../text/seal.ts";
import { type Soon, soon } from "../time/soon.ts";
import { KeyFileError, readPrivateText, writePrivateText } from "./key-file.ts";
import type { Random } from "./keys.ts";

export interface SealingOptions {
	dataDir: string;
	/**
	 * For a store that several gateways share: the secret that they have in common, which is `fresh` if there was none.
	 * Undefined: the store cannot be reached.
	 */
	sharedSecret?(fresh: Uint8Array): Promise<Uint8Array | undefined>;
	random: Random;
	warn(what: string, error: unknown): void;
}

/** Seals texts that clients keep and send back, and opens them. */
export interface Sealer {
	seal(text: string): string;
	/** Undefined if the text was sealed elsewhere, or changed since. */
	open(sealed: string): string | undefined;
}

export const sealingKeyFileIn = (dataDir: string): string => join(dataDir, "sealing-key");

const REMEDY =
	"Remove it, and a new key will be generated; conversations that clients have compacted cannot be read then.";

/**
 * The sealer of this installation, made when it is first needed. It seals with the key of the group that shares a
 * store, if there is one, so that each gateway of the group can open it, and opens what its own key has sealed as well.
 */
export function openSealing(options: SealingOptions): () => Soon<Sealer> {
	const { sharedSecret, random } = options;
	let own: Uint8Array | undefined;
	let sealer: Sealer | undefined;
	return () => {
		if (sealer) return sealer;
		return soon(sharedSecret?.(random(SEAL_KEY_BYTES)), (shared) => {
			own ??= ownKey(options);
			const made = sealerOf(shared ?? own, own, random);
			// A shared store that cannot be reached may be back the next time.
			if (shared || !sharedSecret) sealer = made;
			return made;
		});
	};
}

function sealerOf(first: Uint8Array, other: Uint8Array, random: Random): Sealer {
	return {
		seal: (text) => sealText(text, first, random(NONCE_BYTES)),
		open: (sealed) => openSealed(sealed, first) ?? openSealed(sealed, other),
	};
}

/** The key in its file, made if there is none. Where it cannot be kept, it is valid until the gateway stops. */
function ownKey({ dataDir, random, warn }: SealingOptions): Uint8Array {
	const file = sealingKeyFileIn(dataDir);
	try {
		const made = Buffer.from(random(SEAL_KEY_BYTES)).toString("base64url");
		return keyOf(file, readKey(file) ?? writePrivateText(file, made, { random, present: () => readKey(file) }));
	} catch (error) {
		warn("the key for compacted conversations", error);
		return random(SEAL_KEY_BYTES);
	}
}

const readKey = (file: string): string | undefined => readPrivateText(file, REMEDY) || undefined;

function keyOf(file: string, text: string): Uint8Array {
	const key = Buffer.from(text, "base64url");
	if (key.length !== SEAL_KEY_BYTES) throw new KeyFileError(`${file} holds no key. ${REMEDY}`);
	return key;
}
