import { describe, expect, it } from "vitest";
import { GatewayError } from "../turn/error.ts";
import { Router } from "./router.ts";

const route = (method: string, path: string) => ({ method, path });
const ROUTES = [
	route("GET", "/healthz"),
	route("HEAD", "/api/hello"),
	route("GET", "/v1/models"),
	route("GET", "/v1/models/*"),
	route("POST", "/v1/responses"),
	route("GET", "/v1/responses"),
	route("GET", "/v1/responses/:id"),
	route("DELETE", "/v1/responses/:id"),
	route("GET", "/v1/responses/:id/input_items"),
];
const router = new Router(ROUTES);

/** The path of the route that was found, and what it leaves open. */
function found(method: string, target: string) {
	const match = router.find(method, target);
	return match && [`${match.route.method} ${match.route.path}`, { ...match.params }];
}

describe("a route is found", () => {
	it.each([
		["GET /healthz", "GET /healthz", {}],
		["GET /v1/models", "GET /v1/models", {}],
		["GET /v1/models?limit=1", "GET /v1/models", {}],
		["GET /v1/models?", "GET /v1/models", {}],
		["GET /v1/models?path=/v1/responses", "GET /v1/models", {}],
		["GET /v1/models#x", "GET /v1/models", {}],
		["GET /v1/models#x?y", "GET /v1/models", {}],
		["GET /v1/%6dodels", "GET /v1/models", {}],
		["GET /v1/models/auto", "GET /v1/models/*", { "*": "auto" }],
		["GET /v1/models/auto?x=%zz", "GET /v1/models/*", { "*": "auto" }],
		["GET /v1/models/some/one", "GET /v1/models/*", { "*": "some/one" }],
		["GET /v1/models/some//one/", "GET /v1/models/*", { "*": "some//one/" }],
		["GET /v1/models/some%2Fone", "GET /v1/models/*", { "*": "some/one" }],
		["GET /v1/models/%C3%A9", "GET /v1/models/*", { "*": "é" }],
		["GET /v1/models/%2561", "GET /v1/models/*", { "*": "%61" }],
		["GET /v1/models/", "GET /v1/models/*", { "*": "" }],
		["GET /v1/responses/a", "GET /v1/responses/:id", { id: "a" }],
		["DELETE /v1/responses/a", "DELETE /v1/responses/:id", { id: "a" }],
		["GET /v1/responses/a%2Fb", "GET /v1/responses/:id", { id: "a/b" }],
		["GET /v1/responses/a%3Fb%23c", "GET /v1/responses/:id", { id: "a?b#c" }],
		["GET /v1/responses/a%2Finput_items", "GET /v1/responses/:id", { id: "a/input_items" }],
		["GET /v1/responses/__proto__", "GET /v1/responses/:id", { id: "__proto__" }],
		["GET /v1/responses/", "GET /v1/responses/:id", { id: "" }],
		["GET /v1/responses/a/input_items", "GET /v1/responses/:id/input_items", { id: "a" }],
		["POST /v1/responses", "POST /v1/responses", {}],
	])("for %s", (request, path, params) => {
		const [method = "", target = ""] = request.split(" ");
		expect(found(method, target)).toEqual([path, params]);
	});
});

describe("no route is found", () => {
	it.each([
		"GET ",
		"GET /",
		"GET *",
		"GET /nothing",
		"GET /healthz/",
		"GET //healthz",
		"GET /HEALTHZ",
		"GET /healthz;a=b",
		"GET /healthz%00",
		"GET /v1//models",
		"GET /v1%2Fmodels",
		"GET /v1/./models",
		"GET /v1/x/../models",
		"GET /v1/responses/a/",
		"GET /v1/responses/a/b",
		"GET /v1/responses/a/input_items/",
		"GET http://127.0.0.1/healthz",
		"HEAD /healthz",
		"OPTIONS /healthz",
		"get /healthz",
		"POST /v1/models",
		"POST /v1/responses/a",
		"PROPFIND /v1/models",
	])("for %s", (request) => {
		const [method = "", target = ""] = request.split(" ");
		expect(found(method, target)).toBeUndefined();
	});
});

it.each(["/%", "/healthz%", "/v1/models/%zz", "/v1/models/%c3", "/v1/responses/%ff/input_items"])(
	"a path that cannot be decoded is refused: %s",
	(target) => {
		for (const method of ["GET", "POST", "PROPFIND"]) {
			expect(() => router.find(method, target)).toThrow(new GatewayError("invalid-request", "The path is not valid."));
		}
	},
);

it("knows the methods of a path", () => {
	expect(router.methodsOf("/v1/models?limit=1")).toEqual(["GET"]);
	expect(router.methodsOf("/v1/responses/some")).toEqual(["GET", "DELETE"]);
	expect(router.methodsOf("/v1/models/%zz")).toEqual(["GET"]);
	expect(router.methodsOf("/nothing")).toEqual([]);
});

describe("the name of a path", () => {
	it.each([
		["/v1/models?key=secret", "/v1/models"],
		["/v1/models/secret/%zz", "/v1/models/*"],
		["/v1/responses/secret", "/v1/responses/:id"],
		["/v1/responses/secret/input_items#secret", "/v1/responses/:id/input_items"],
		["/secret", "(unknown path)"],
		["/%zz", "(unknown path)"],
		["", "(unknown path)"],
	])("of %s is %s, without what the client wrote", (target, name) => {
		expect(router.nameOf(target)).toBe(name);
	});
});
