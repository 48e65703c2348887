import type { Exchange } from "./exchange.ts";

export type Handler = (exchange: Exchange) => void | Promise<void>;

/** Finds handlers by exact path, since the protocol has no parameters in paths, or by a path's beginning. */
export class Router {
	readonly #routes = new Map<string, Handler>();
	readonly #branches = new Map<string, Handler>();

	add(method: string, path: string, handler: Handler): void {
		const key = `${method} ${path}`;
		if (this.#routes.has(key)) throw new Error(`two handlers for ${key}`);
		this.#routes.set(key, handler);
	}

	/** Adds a handler for every method, on this path and on all paths below it. */
	addBelow(path: string, handler: Handler): void {
		this.#branches.set(path, handler);
	}

	find(method: string, path: string): Handler | undefined {
		return this.#routes.get(`${method} ${path}`) ?? this.#branchOf(path);
	}

	#branchOf(path: string): Handler | undefined {
		for (const [branch, handler] of this.#branches) {
			if (path === branch || path.startsWith(`${branch}/`)) return handler;
		}
		return undefined;
	}
}
