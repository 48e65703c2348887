import { createCipheriv, createDecipheriv } from "node:crypto";

// AES-256-GCM: what was sealed can be read only with the key, and a change of a single bit is noticed.

export const SEAL_KEY_BYTES = 32;
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = "aes-256-gcm";
/** Tells one form of sealed texts from later ones. */
const FORM = "cws1_";

/** The text in a form that only holders of the key can read. A nonce must never be used twice with one key. */
export function sealText(text: string, key: Uint8Array, nonce: Uint8Array): string {
	const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(FORM));
	const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
	return FORM + sealed.toString("base64url");
}

/** Undefined if it was sealed with another key, or changed since. */
export function openSealed(sealed: string, key: Uint8Array): string | undefined {
	const bytes = bytesOf(sealed);
	if (!bytes || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
	const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(-TAG_BYTES)];
	const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(FORM));
	decipher.setAuthTag(tag);
	try {
		const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
		return Buffer.concat([text, decipher.final()]).toString("utf8");
	} catch {
		return undefined;
	}
}

/** The last character of Base64 holds bits that mean nothing. Changed ones are a change too. */
function bytesOf(sealed: string): Buffer | undefined {
	if (!sealed.startsWith(FORM)) return undefined;
	const bytes = Buffer.from(sealed.slice(FORM.length), "base64url");
	return FORM + bytes.toString("base64url") === sealed ? bytes : undefined;
}
