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

	constructor(limit: number) {
		this.#limit = limit;
	}

	add(exchange: Exchange, body?: unknown): LoggedRequest {
		const entry: LoggedRequest = {
			at: Date.now(),
			method: exchange.method,
			path: exchange.path,
			httpVersion: exchange.httpVersion,
			headers: withoutSecrets(exchange.headers),
			...(body !== undefined && { body }),
		};
		this.#entries.push(entry);
		if (this.#entries.length > this.#limit) this.#entries.shift();
		return entry;
	}

	/** Adds a message to a stream's entry, as long as it is worth the memory. */
	addMessage(entry: LoggedRequest, message: unknown): void {
		entry.messages ??= [];
		if (entry.messages.length < 1000) entry.messages.push(message);
	}

	list(): LoggedRequest[] {
		return [...this.#entries];
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
