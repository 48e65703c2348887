import { AsyncResource } from "node:async_hooks";

type Bound = (...args: unknown[]) => unknown;

/**
 * Node's HTTP/2 client calls `AsyncResource.bind` for each request. In Node 20 that gives the bound function a deprecated
 * getter and setter, both wrapped in functions with prototypes of their own, which takes a third of all the time in which
 * Node opens a stream (ADR 40). Nothing here reads them. Where Node does not make them, its own `bind` stays.
 */
export function bindPlainly(): void {
	const bound = new AsyncResource("PROBE").bind(() => {});
	if (Object.hasOwn(bound, "asyncResource")) AsyncResource.prototype.bind = bind as typeof AsyncResource.prototype.bind;
}

function bind(this: AsyncResource, target: Bound, thisArgument?: unknown): Bound {
	const resource = this;
	return function (this: unknown, ...args) {
		return resource.runInAsyncScope(target, thisArgument === undefined ? this : thisArgument, ...args);
	};
}
