import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { describe, expect, it } from "vitest";
import { bindPlainly } from "./plain-bind.ts";

describe("a function that is bound to an async resource", () => {
	bindPlainly();

	it("has no deprecated accessors", () => {
		const bound = new AsyncResource("TEST").bind(() => {});
		expect(Object.hasOwn(bound, "asyncResource")).toBe(false);
	});

	it("runs where the resource was made", () => {
		const storage = new AsyncLocalStorage<string>();
		const resource = storage.run("inside", () => new AsyncResource("TEST"));
		const bound = resource.bind((one: number, other: number) => [storage.getStore(), one + other]);
		expect(storage.run("outside", () => bound(1, 2))).toEqual(["inside", 3]);
	});

	it("has the `this` of its call, or the one that it was bound with", () => {
		function own(this: unknown) {
			return this;
		}
		const resource = new AsyncResource("TEST");
		const [called, given] = [{}, {}];
		expect(resource.bind(own).call(called)).toBe(called);
		const bind = resource.bind as (fn: () => unknown, thisArgument: unknown) => () => unknown;
		expect(bind.call(resource, own, given).call(called)).toBe(given);
	});
});
