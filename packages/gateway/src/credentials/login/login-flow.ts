import { createHash } from "node:crypto";
import type { Clock } from "../../time/clock.ts";
import { sleep } from "../../time/sleep.ts";
import { GatewayError } from "../../turn/error.ts";
import { Secret } from "../secret.ts";
import type { AuthClient, AuthRequest } from "./auth-client.ts";
import type { AuthResponse } from "./auth-response.ts";
import { nextPoll, type PollState, START } from "./login-poll.ts";

/** One browser login: the page for the person, and the secret to poll for the result. */
export interface LoginAttempt {
	/** The page to open. It only contains a hash of the verifier, so it may be shown. */
	url: string;
	uuid: string;
	verifier: Secret;
}

export interface LoginTokens {
	accessToken: Secret;
	refreshToken: Secret;
}

/** Randomness as a parameter: `size` random bytes. */
export type RandomBytes = (size: number) => Uint8Array;

/** Prepares a login. As in PKCE (RFC 7636), the page gets the challenge and only the poll sends the verifier. */
export function startLogin(website: string, randomBytes: RandomBytes): LoginAttempt {
	const verifier = Buffer.from(randomBytes(32)).toString("base64url");
	const challenge = createHash("sha256").update(verifier).digest("base64url");
	const uuid = uuidOf(randomBytes(16));
	const query = new URLSearchParams({ challenge, uuid, mode: "login", redirectTarget: "cli" });
	return { url: `${website.replace(/\/$/, "")}/loginDeepControl?${query}`, uuid, verifier: new Secret(verifier) };
}

/** Polls until the person has approved the login on the page. Aborting the signal rejects with `cancelled`. */
export async function finishLogin(
	attempt: LoginAttempt,
	client: AuthClient,
	clock: Clock,
	signal?: AbortSignal,
): Promise<LoginTokens> {
	let state: PollState = START;
	for (;;) {
		const step = nextPoll(state, await poll(client, attempt, state, signal));
		if ("tokens" in step) return step.tokens;
		if ("failed" in step) throw step.failed;
		state = step.state;
		if (step.waitMs > 0) await pause(step.waitMs, clock, signal);
	}
}

async function pause(ms: number, clock: Clock, signal: AbortSignal | undefined): Promise<void> {
	try {
		await sleep(ms, clock, signal);
	} catch {
		throw new GatewayError("cancelled");
	}
}

async function poll(
	client: AuthClient,
	{ uuid, verifier }: LoginAttempt,
	{ method }: PollState,
	signal: AbortSignal | undefined,
): Promise<AuthResponse | GatewayError> {
	const parameters = { uuid, verifier: verifier.reveal() };
	const request: AuthRequest =
		method === "POST"
			? { method, path: "/auth/poll", json: parameters }
			: { method, path: `/auth/poll?${new URLSearchParams(parameters)}` };
	try {
		return await client.call({ ...request, signal });
	} catch (error) {
		if (error instanceof GatewayError && error.kind !== "cancelled") return error;
		throw error;
	}
}

/** A version 4 UUID made from 16 random bytes. */
function uuidOf(random: Uint8Array): string {
	const bytes = Buffer.from(random);
	bytes[6] = (bytes[6]! & 0x0f) | 0x40;
	bytes[8] = (bytes[8]! & 0x3f) | 0x80;
	return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
