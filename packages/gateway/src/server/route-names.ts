const UNKNOWN = "(unknown path)";

/** Names paths by the table of routes, so that the log says which one was meant and nothing that a client wrote. */
export class RouteNames {
	readonly #exact: ReadonlySet<string>;
	readonly #patterns: readonly { path: string; pattern: RegExp }[];

	constructor(paths: readonly string[]) {
		this.#exact = new Set(paths.filter((path) => !/[:*]/.test(path)));
		this.#patterns = [...new Set(paths)]
			.filter((path) => /[:*]/.test(path))
			.map((path) => ({ path, pattern: new RegExp(`^${path.replace(/:\w+/g, "[^/]+").replace(/\*/g, ".+")}$`) }));
	}

	of(url = ""): string {
		const path = url.split("?", 1)[0]!;
		if (this.#exact.has(path)) return path;
		return this.#patterns.find(({ pattern }) => pattern.test(path))?.path ?? UNKNOWN;
	}
}
