import * as z from "zod";
import type { Credential } from "../credential.ts";
import { Secret } from "../secret.ts";
import type { AccessToken } from "../token/access-token.ts";

// The form in which a credential is stored. The version is increased when an older cursorwire could not read it.
const VERSION = 1;

const text = z.string().min(1);
const access = z.strictObject({ token: text, expiresAt: z.number(), renewAt: z.number() });
const bound = { version: z.literal(VERSION), origin: text, login: text, revision: z.int().nonnegative() };

const RecordSchema = z.discriminatedUnion("kind", [
	z.strictObject({ kind: z.literal("api-key"), ...bound, apiKey: text, access: access.optional() }),
	z.strictObject({
		kind: z.literal("session"),
		...bound,
		access,
		refreshToken: text,
		refreshCall: text.optional(),
	}),
	z.strictObject({ kind: z.literal("session-token"), ...bound, access }),
]);

type AccessRecord = z.output<typeof access>;

/** Why a stored text cannot be used. The message quotes nothing of the text. */
export class CredentialTextError extends Error {}

/** The only place that writes the secrets of a credential. */
export function encodeCredential(credential: Credential): string {
	const { kind, origin, login, revision } = credential;
	const head = { version: VERSION, kind, origin, login, revision };
	switch (credential.kind) {
		case "api-key": {
			const access = credential.access && encodeAccess(credential.access);
			return JSON.stringify({ ...head, apiKey: credential.apiKey.reveal(), access });
		}
		case "session": {
			const { refreshToken, refreshCall } = credential;
			const access = encodeAccess(credential.access);
			return JSON.stringify({ ...head, access, refreshToken: refreshToken.reveal(), refreshCall });
		}
		case "session-token":
			return JSON.stringify({ ...head, access: encodeAccess(credential.access) });
	}
}

export function decodeCredential(record: string): Credential {
	const { version: _, ...content } = parseRecord(record);
	switch (content.kind) {
		case "api-key":
			return {
				...content,
				apiKey: new Secret(content.apiKey),
				access: content.access && decodeAccess(content.access),
			};
		case "session":
			return {
				...content,
				access: decodeAccess(content.access),
				refreshToken: new Secret(content.refreshToken),
			};
		case "session-token":
			return { ...content, access: decodeAccess(content.access) };
	}
}

function parseRecord(record: string): z.output<typeof RecordSchema> {
	let content: unknown;
	try {
		content = JSON.parse(record);
	} catch {
		throw new CredentialTextError("it is not JSON");
	}
	const version = (content as { version?: unknown } | null)?.version;
	if (typeof version === "number" && version > VERSION) throw new CredentialTextError("a newer cursorwire wrote it");
	const result = RecordSchema.safeParse(content);
	if (result.success) return result.data;
	// The path only: a message of the schema could quote a value.
	const where = result.error.issues[0]?.path.join(".") || "the top level";
	throw new CredentialTextError(`it is not a stored credential (wrong at ${where})`);
}

function encodeAccess({ value, expiresAt, renewAt }: AccessToken): AccessRecord {
	return { token: value.reveal(), expiresAt, renewAt };
}

function decodeAccess({ token, expiresAt, renewAt }: AccessRecord): AccessToken {
	return { value: new Secret(token), expiresAt, renewAt };
}
