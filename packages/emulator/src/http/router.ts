import type { Exchange } from "./exchange.ts";

export type Handler = (exchange: Exchange) => void | Promise<void>;

/** Exact paths: the protocol has no parameters in them. What is not emulated is answered for whole branches. */
export class Router {
	readonly #routes = new Map<string, Handler>();
	readonly #branches = new Map<string, Handler>();

	add(method: string, path: string, handler: Handler): void {
		const key = `${method} ${path}`;
		if (this.#routes.has(key)) throw new Error(`two handlers for ${key}`);
		this.#routes.set(key, handler);
	}

	/** Every method, on the path and on all below it. */
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
