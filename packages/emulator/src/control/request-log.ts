import type { Exchange } from "../http/exchange.ts";

export interface LoggedRequest {
	at: number;
	method: string;
	path: string;
	httpVersion: string;
	headers: Record<string, string>;
	body?: unknown;
	/** Messages of the client on a stream, in order. */
	messages?: unknown[];
}

/** The last requests, decoded and without credentials, so that the log can be shown and saved. */
export class RequestLog {
	readonly #limit: number;
	readonly #entries: LoggedRequest[] = [];
	readonly #byExchange = new WeakMap<Exchange, LoggedRequest>();

	constructor(limit: number) {
		this.#limit = limit;
	}

	add(exchange: Exchange): void {
		const entry: LoggedRequest = {
			at: Date.now(),
			method: exchange.method,
			path: exchange.path,
			httpVersion: exchange.httpVersion,
			headers: withoutSecrets(exchange.headers),
		};
		this.#entries.push(entry);
		this.#byExchange.set(exchange, entry);
		if (this.#entries.length > this.#limit) this.#entries.shift();
	}

	/** Adds the decoded body of a request. The login endpoints never call this, because their bodies hold secrets. */
	addBody(exchange: Exchange, body: unknown): void {
		const entry = this.#of(exchange);
		if (entry) entry.body = body;
	}

	/** Adds a message of the client on a stream, up to a limit per stream. */
	addMessage(exchange: Exchange, message: unknown): void {
		const entry = this.#of(exchange);
		if (!entry) return;
		entry.messages ??= [];
		if (entry.messages.length < 1000) entry.messages.push(message);
	}

	list(): LoggedRequest[] {
		return [...this.#entries];
	}

	#of(exchange: Exchange): LoggedRequest | undefined {
		return this.#limit > 0 ? this.#byExchange.get(exchange) : undefined;
	}

	clear(): void {
		this.#entries.length = 0;
	}
}

function withoutSecrets(headers: Record<string, string>): Record<string, string> {
	const kept = { ...headers };
	for (const name of ["authorization", "cookie", "x-blob-encryption-key"]) {
		if (kept[name]) kept[name] = kept[name].replace(/(Bearer\s+)?.+/i, "$1<hidden>");
	}
	return kept;
}
