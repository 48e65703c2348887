import { expect, it } from "vitest";
import { codeIn } from "./gateway/session.ts";
import { routeOf } from "./route.ts";

it.each([
	["", { view: "now" }],
	["#/plan", { view: "plan" }],
	["#/turns", { view: "turns" }],
	["#/turns/123", { view: "turns", turn: 123 }],
	["#/turns?client=codex", { view: "turns", query: "client=codex" }],
	["#/models?client=codex", { view: "models" }],
	["#/models/123", { view: "models" }],
	["#/nothing", { view: "now" }],
	["#/turns/1/2", { view: "now" }],
])("takes %j to %j", (hash, route) => {
	expect(routeOf(hash)).toEqual(route);
});

it("tells a code from a route", () => {
	const code = "Ab_-".repeat(8);
	expect(codeIn(`#${code}`)).toBe(code);
	expect(codeIn(`#${code.slice(1)}`)).toBeUndefined();
	expect(codeIn(`#/turns/${code}`)).toBeUndefined();
});
