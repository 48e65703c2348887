import type { Exchange } from "./exchange.ts";

export type Handler = (exchange: Exchange) => void | Promise<void>;

/** Exact paths only: the protocol has no parameters in its paths. */
export class Router {
	readonly #routes = new Map<string, Handler>();

	add(method: string, path: string, handler: Handler): void {
		const key = `${method} ${path}`;
		if (this.#routes.has(key)) throw new Error(`two handlers for ${key}`);
		this.#routes.set(key, handler);
	}

	find(method: string, path: string): Handler | undefined {
		return this.#routes.get(`${method} ${path}`);
	}
}
