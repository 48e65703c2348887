import type { Transport } from "../../wire/stream.ts";
import { unary } from "../../wire/unary.ts";
import { credentialOrigin, wrongOrigin } from "../origin.ts";
import type { Secret } from "../secret.ts";
import { noResponse } from "./auth-failure.ts";
import type { AuthResponse } from "./auth-response.ts";

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

/** Calls `/auth/*` and `/oauth/*` of one upstream. Redirects are not followed, so that tokens stay with this origin. */
export class AuthClient {
	/** Stored with each credential: a client for another origin refuses it. */
	readonly origin: string;
	readonly #transport: Transport;
	readonly #base: URL;

	constructor(transport: Transport, upstream: string) {
		this.#transport = transport;
		this.#base = credentialOrigin(upstream);
		this.origin = this.#base.origin;
	}

	/** Throws if a credential belongs to another upstream. */
	requireOrigin(origin: string): void {
		if (origin !== this.origin) throw wrongOrigin(origin, this.origin);
	}

	/** Rejects with a `GatewayError` only if there is no response at all. */
	async call(request: AuthRequest): Promise<AuthResponse> {
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
			const response = await unary(this.#transport, wireRequest, body, MAX_BODY_BYTES);
			const text = response.body.toString("utf8");
			return { status: response.status, headers: response.headers, text, json: parseObject(text) };
		} catch (error) {
			throw noResponse(error, this.origin);
		}
	}
}

function parseObject(text: string): AuthResponse["json"] {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
	} catch {
		return undefined;
	}
}
