import { GatewayError } from "../turn/error.ts";

interface Routed {
	method: string;
	/** Parts that begin with `:` are open, and a `*` at the end stands for the rest of the path. */
	path: string;
}

export interface FoundRoute<R extends Routed> {
	route: R;
	/** The open parts of the path, decoded: by their name, the rest as `*`. */
	params: Readonly<Record<string, string>>;
}

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({});
const UNKNOWN = "(unknown path)";

/** Finds the route of a request by its method and its path. */
export class Router<R extends Routed> {
	/** Routes without open parts, by method and path. */
	readonly #exact = new Map<string, FoundRoute<R>>();
	readonly #all: readonly { route: R; parts: readonly string[] }[];

	constructor(routes: readonly R[]) {
		this.#all = routes.map((route) => ({ route, parts: route.path.split("/") }));
		for (const route of routes) {
			if (!/[:*]/.test(route.path)) this.#exact.set(`${route.method} ${route.path}`, { route, params: NO_PARAMS });
		}
	}

	/** Undefined if there is no such route. Throws a `GatewayError` for a path that cannot be read. */
	find(method: string, target: string): FoundRoute<R> | undefined {
		const path = pathOf(target);
		return this.#exact.get(`${method} ${path}`) ?? this.#match(method, path);
	}

	some(test: (route: R) => boolean): boolean {
		return this.#all.some(({ route }) => test(route));
	}

	/** The methods that a path takes. None: there is no such path. */
	methodsOf(target: string): string[] {
		const given = pathOf(target).split("/");
		return [...new Set(this.#all.filter(({ parts }) => matchParts(parts, given)).map(({ route }) => route.method))];
	}

	/** The path as the table of routes has it, so that a log names it and nothing that a client wrote. */
	nameOf(target: string): string {
		const given = pathOf(target).split("/");
		return this.#all.find(({ parts }) => matchParts(parts, given))?.route.path ?? UNKNOWN;
	}

	#match(method: string, path: string): FoundRoute<R> | undefined {
		const given = path.split("/").map(decodePart);
		for (const { route, parts } of this.#all) {
			const params = route.method === method ? matchParts(parts, given) : undefined;
			if (params) return { route, params };
		}
		return undefined;
	}
}

/** The part before `?` or `#`. Nearly every target is that and nothing else. */
const pathOf = (target: string): string =>
	target.includes("?") || target.includes("#") ? target.slice(0, target.search(/[?#]/)) : target;

function decodePart(part: string): string {
	if (!part.includes("%")) return part;
	try {
		return decodeURIComponent(part);
	} catch {
		throw new GatewayError("invalid-request", "The path is not valid.");
	}
}

/** The open parts, if the path fits. */
function matchParts(parts: readonly string[], given: readonly string[]): Record<string, string> | undefined {
	const takesRest = parts.at(-1) === "*";
	if (takesRest ? given.length < parts.length : given.length !== parts.length) return undefined;
	const params: Record<string, string> = {};
	for (const [index, part] of parts.entries()) {
		if (part === "*") params["*"] = given.slice(index).join("/");
		else if (part.startsWith(":")) params[part.slice(1)] = given[index]!;
		else if (part !== given[index]) return undefined;
	}
	return params;
}
