import type { Transport } from "../../wire/stream.ts";
import { unary } from "../../wire/unary.ts";
import { credentialOrigin, wrongOrigin } from "../origin.ts";
import type { Secret } from "../secret.ts";
import { noAnswer } from "./auth-failure.ts";
import type { AuthAnswer } from "./auth-response.ts";

export interface AuthRequest {
	/** Default POST. */
	method?: "GET" | "POST";
	path: string;
	bearer?: Secret;
	json?: Readonly<Record<string, string>>;
	/** Default 10 s. */
	deadlineMs?: number;
	signal?: AbortSignal;
}

const DEADLINE_MS = 10_000;
const MAX_BODY_BYTES = 256 * 1024;

/** Calls `/auth/*` and `/oauth/*` of one upstream. Redirects are not followed: the tokens stay with this origin. */
export class AuthClient {
	/** Credentials carry it, and no other client takes them. */
	readonly origin: string;
	readonly #transport: Transport;
	readonly #base: URL;

	constructor(transport: Transport, upstream: string) {
		this.#transport = transport;
		this.#base = credentialOrigin(upstream);
		this.origin = this.#base.origin;
	}

	/** Throws where a credential was made for another upstream. */
	requireOrigin(origin: string): void {
		if (origin !== this.origin) throw wrongOrigin(origin, this.origin);
	}

	/** Rejects with a `GatewayError` only where there is no answer at all. */
	async call(request: AuthRequest): Promise<AuthAnswer> {
		const { method = "POST", path, bearer, json, deadlineMs = DEADLINE_MS, signal } = request;
		const body = Buffer.from(method === "GET" ? "" : JSON.stringify(json ?? {}));
		const headers: Record<string, string> = { accept: "application/json" };
		if (method === "POST") headers["content-type"] = "application/json";
		if (bearer !== undefined) headers.authorization = `Bearer ${bearer.reveal()}`;
		const wireRequest = {
			origin: this.#base,
			key: "auth",
			path: this.#base.pathname.replace(/\/$/, "") + path,
			method,
			headers,
			deadlineMs,
			signal,
		};
		try {
			const answer = await unary(this.#transport, wireRequest, body, MAX_BODY_BYTES);
			const text = answer.body.toString("utf8");
			return { status: answer.status, headers: answer.headers, text, json: parseObject(text) };
		} catch (error) {
			throw noAnswer(error, this.origin);
		}
	}
}

function parseObject(text: string): AuthAnswer["json"] {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
	} catch {
		return undefined;
	}
}
