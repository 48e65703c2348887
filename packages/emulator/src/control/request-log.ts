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

/** The last requests, decoded. Credentials stay out: the log may be shown and saved. */
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

	/** The decoded body of a request. Bodies of the login endpoints hold secrets and are never given here. */
	addBody(exchange: Exchange, body: unknown): void {
		const entry = this.#of(exchange);
		if (entry) entry.body = body;
	}

	/** One message of the client on a stream, as long as it is worth the memory. */
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
