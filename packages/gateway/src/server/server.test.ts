import { expect, it, onTestFinished } from "vitest";
import { until } from "../../test/kit/cleanup.ts";
import { RawClient } from "../../test/kit/hostile/raw-client.ts";
import { jsonBodyParser } from "../dialects/json/json-body.ts";
import type { Refused } from "../observe/facts.ts";
import { dialectOf } from "../routes/dialects.ts";
import { GatewayError } from "../turn/error.ts";
import type { Route } from "./exchange.ts";
import { sendJson } from "./send-json.ts";
import { GatewayServer } from "./server.ts";
import { DEFAULT_SERVER_LIMITS } from "./server-limits.ts";

type Caller = { id: string };
const caller: Caller = { id: "someone" };
const echo: Route<Caller>["handler"] = ({ response, body, params }) => sendJson(response, 200, {}, { body, params });
const ROUTES: Route<Caller>[] = [
	{ method: "GET", path: "/public", handler: echo },
	{ method: "GET", path: "/thing/:id", handler: echo },
	{ method: "DELETE", path: "/thing/:id", handler: echo },
	{ method: "POST", path: "/echo", handler: echo },
	{
		method: "POST",
		path: "/fails",
		handler() {
			throw new GatewayError("overloaded");
		},
	},
];

async function served(
	admit: () => Caller | Promise<Caller> = () => caller,
	refused: (refusal: Refused) => void = () => {},
) {
	const refusals: Refused[] = [];
	const bugs: unknown[] = [];
	const visits = { entered: 0, left: 0 };
	const enter = () => {
		visits.entered++;
		return () => void visits.left++;
	};
	const server = new GatewayServer<Caller>(
		{
			limits: DEFAULT_SERVER_LIMITS,
			door: { isPublic: ({ url }) => url === "/public", guard() {}, admit },
			formOf: dialectOf,
			parseBody: jsonBodyParser(),
			newId: () => "id",
			reportBug: (error) => bugs.push(error),
			refused(refusal) {
				refusals.push(refusal);
				refused(refusal);
			},
		},
		ROUTES.map((route) => ({ ...route, enter })),
	);
	onTestFinished(() => server.close());
	const port = await server.listen("127.0.0.1", 0);
	const client = await RawClient.open(port);
	onTestFinished(() => client.close());
	return { client, port, refusals, bugs, visits };
}

const head = (request: string, ...lines: string[]) => [`${request} HTTP/1.1`, "Host: x", ...lines, "", ""].join("\r\n");
const posted = (request: string, body: string, ...lines: string[]) =>
	head(request, "Content-Type: application/json", `Content-Length: ${body.length}`, ...lines) + body;

it("a request gets the open parts of its path, and its body", async () => {
	const { client } = await served();
	client.send(head("GET /thing/a%2Fb?x=1"));
	expect(JSON.parse((await client.response()).body)).toEqual({ params: { id: "a/b" } });
	client.send(posted("POST /echo", '{"a":1}'));
	expect(JSON.parse((await client.response()).body)).toEqual({ body: { a: 1 }, params: {} });
});

it.each([
	["HEAD /public", 405],
	["OPTIONS /echo", 405],
	["PROPFIND /echo", 405],
	["GET /echo?x=1", 405],
	["PUT /thing/a", 405],
	["GET /echo/", 404],
	["GET //echo", 404],
	["GET /thing/%zz", 400],
])("%s is answered with %i, and the connection stays", async (request, status) => {
	const { client } = await served();
	client.send(head(request));
	const response = await client.response(request.split(" ")[0]);
	expect(response).toMatchObject({ status, headers: { connection: "keep-alive" } });
	expect(response.headers.allow).toBeUndefined();
	client.send(head("GET /public"));
	expect((await client.response()).status).toBe(200);
});

it("a wrong method is told the right ones", async () => {
	const { client } = await served();
	client.send(head("GET /echo"));
	expect((await client.response()).body).toContain("does not accept that method. Use POST.");
	client.send(head("GET /nothing"));
	expect((await client.response()).body).toContain("nothing at this address");
});

it("a DELETE needs no body, and may have one that is JSON", async () => {
	const { client } = await served();
	const ask = async (request: string) => {
		client.send(request);
		return (await client.response()).status;
	};
	expect(await ask(head("DELETE /thing/a"))).toBe(200);
	expect(await ask(head("DELETE /thing/a", "Content-Type: application/json"))).toBe(200);
	expect(await ask(posted("DELETE /thing/a", "{}"))).toBe(200);
	expect(await ask(posted("DELETE /thing/a", "{"))).toBe(400);
	for (const type of ["text/plain", "application/jsonp", "application/json+x", "application/json, text/plain", "x"]) {
		expect(await ask(`${head("DELETE /thing/a", `Content-Type: ${type}`, "Content-Length: 2")}{}`), type).toBe(415);
	}
	expect(await ask(`${head("DELETE /thing/a", "Content-Length: 2")}{}`)).toBe(415);
});

it("a body that nobody wanted is read over, and the next request is served", async () => {
	const { client } = await served(() => {
		throw new GatewayError("bad-key");
	});
	client.send(posted("POST /echo", '{"a":1}') + head("GET /public"));
	expect((await client.response()).status).toBe(401);
	expect((await client.response()).status).toBe(200);
	client.send(posted("GET /public", '{"a":1}') + head("GET /public"));
	expect((await client.response()).status).toBe(200);
	expect((await client.response()).status).toBe(200);
});

it("requests that come together are answered in their order", async () => {
	let admit = (_: Caller) => {};
	const waiting = new Promise<Caller>((resolve) => {
		admit = resolve;
	});
	const answers: (Caller | Promise<Caller>)[] = [waiting, caller, caller, caller];
	const { client } = await served(() => answers.shift()!);
	client.send(posted("POST /echo", "[1]") + posted("POST /fails", "{}") + head("GET /nothing") + head("GET /thing/4"));
	await until(() => answers.length === 0);
	admit(caller);
	const statuses = [];
	for (let count = 0; count < 4; count++) statuses.push((await client.response()).status);
	expect(statuses).toEqual([200, 503, 404, 200]);
});

it("a client that asks before it sends its body is told to go on", async () => {
	const { client } = await served();
	client.send(head("POST /echo", "Content-Type: application/json", "Content-Length: 2", "Expect: 100-continue"));
	await client.sees(/^HTTP\/1\.1 100 Continue\r\n\r\n/);
	client.send("{}");
	expect((await client.response()).status).toBe(200);
});

it("a client that expects anything else is refused in the form of its API", async () => {
	const { client, refusals } = await served();
	client.send(head("POST /echo", "Content-Type: application/json", "Content-Length: 2", "Expect: more"));
	const { status, headers, body } = await client.response();
	expect(status).toBe(417);
	expect(headers["x-request-id"]).toBe("req_id");
	expect(JSON.parse(body).error.message).toContain("The Expect header asks for something unknown.");
	expect(refusals).toMatchObject([{ status: 417, method: "POST", route: "/echo" }]);
});

it("a refusal is told with the route, and without what the client wrote", async () => {
	const { client, refusals } = await served();
	client.send(posted("POST /fails", "{}") + head("GET /thing/secret%") + head("GET /secret"));
	for (let count = 0; count < 3; count++) await client.response();
	expect(new Set(refusals.map(({ route }) => route))).toEqual(new Set(["/fails", "/thing/:id", "(unknown path)"]));
	expect(JSON.stringify(refusals)).not.toContain("secret");
});

it("a client that leaves in the middle of its body is neither refused nor a bug", async () => {
	const { client, refusals, bugs, visits } = await served();
	client.send(posted("POST /echo", "[1,2,3]").slice(0, -1));
	await until(() => visits.entered === 1);
	client.reset();
	await until(() => visits.left === 1);
	await new Promise((later) => setTimeout(later, 10));
	expect(refusals).toEqual([]);
	expect(bugs).toEqual([]);
});

it.each(["GET /nothing", "POST /fails"])("a mistake while %s is refused ends its connection alone", async (request) => {
	const { client, port, bugs } = await served(undefined, () => {
		throw new Error("boom");
	});
	client.send(posted(request, "{}"));
	await client.end();
	expect(client.unread).toBe("");
	expect(bugs).toEqual([new Error("boom")]);
	const other = await RawClient.open(port);
	other.send(head("GET /public"));
	expect((await other.response()).status).toBe(200);
	other.close();
});
