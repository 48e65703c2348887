import { brotliCompressSync, gzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import { DashboardService, GetMeResponseSchema } from "@cursorwire/protocol/aiserver";
import { describe, expect, it } from "vitest";
import { callUnary } from "../../src/upstream/account/rpc.ts";
import { Census } from "../../src/upstream/census/census.ts";
import { encodeEnvelope } from "../../src/wire/framing/envelope.ts";
import { emulator, http1, http2, KeyTokens, ListedTokens, rpcClient, serve } from "./rig.ts";

const { getMe } = DashboardService.method;
const ME = Buffer.from(toBinary(GetMeResponseSchema, create(GetMeResponseSchema, { email: "me@example.test" })));
const PROTO = { "content-type": "application/proto" };

describe("a unary call to the emulator", () => {
	it.each([
		["HTTP/1.1", http1],
		["HTTP/2", http2],
	])("works over %s with the headers of the protocol", async (_, transport) => {
		const backend = await emulator();
		const client = rpcClient(backend.url, { transport: transport() });
		expect(await callUnary(client, getMe, {})).toMatchObject({ email: "demo@example.test" });
		const request = backend.requests().find(({ path }) => path.endsWith("/GetMe"));
		expect(request?.headers).toMatchObject({
			authorization: "Bearer <hidden>",
			"connect-protocol-version": "1",
			"content-type": "application/proto",
			"accept-encoding": "gzip,br",
			"user-agent": "connect-es/1.6.1",
			"x-cursor-client-type": "cli",
			"x-cursor-client-version": "cli-test",
			"x-ghost-mode": "true",
			"x-request-id": "request-1",
		});
	});

	it("takes an answer that is wrapped in an envelope", async () => {
		const backend = await emulator({ switches: ["enveloped-unary=on"] });
		expect(await callUnary(rpcClient(backend.url), getMe, {})).toMatchObject({ email: "demo@example.test" });
	});

	it("gets a new token once when the old one has expired", async () => {
		const backend = await emulator();
		const tokens = new KeyTokens(backend.url);
		const client = rpcClient(backend.url, { tokens });
		const first = await tokens.token();
		backend.expireTokens();
		expect(await callUnary(client, getMe, {})).toMatchObject({ email: "demo@example.test" });
		expect(tokens.refused).toEqual([first]);
	});

	it("gives up after the second refusal", async () => {
		const backend = await emulator();
		const tokens = new ListedTokens("bad-1", "bad-2", "bad-3");
		const call = callUnary(rpcClient(backend.url, { tokens }), getMe, {});
		await expect(call).rejects.toMatchObject({
			kind: "signed-out",
			status: 403,
			detail: "Authentication error. The access token is not valid.",
		});
		expect(tokens.refused).toEqual(["bad-1"]);
		expect(backend.requests().filter(({ path }) => path.endsWith("/GetMe"))).toHaveLength(2);
	});

	it("to an RPC that nobody serves says so", async () => {
		const backend = await emulator();
		const client = rpcClient(backend.url, { baseUrl: new URL(`${backend.url}/prefix/`) });
		await expect(callUnary(client, getMe, {})).rejects.toMatchObject({ kind: "upstream-deprecated" });
		expect(backend.requests().at(-1)?.path).toBe("/prefix/aiserver.v1.DashboardService/GetMe");
	});
});

describe("an answer of another server", () => {
	const call = (url: string, deadlineMs?: number) =>
		callUnary(rpcClient(url, { tokens: new ListedTokens("t") }), getMe, {}, { deadlineMs });

	it.each([
		["gzip", gzipSync(ME), { "content-encoding": "gzip" }],
		["br", brotliCompressSync(ME), { "content-encoding": "br" }],
		[
			"gzip inside an envelope",
			Buffer.concat([encodeEnvelope(1, gzipSync(ME)), encodeEnvelope(2, Buffer.from("{}"))]),
			{ "connect-content-encoding": "gzip" },
		],
	])("is read from %s", async (_, body, headers) => {
		const url = await serve((_request, response) => response.writeHead(200, { ...PROTO, ...headers }).end(body));
		expect(await call(url)).toMatchObject({ email: "me@example.test" });
	});

	it("may be empty, which is the empty message", async () => {
		const url = await serve((_request, response) => response.writeHead(200, PROTO).end());
		expect(await call(url)).toMatchObject({ $typeName: "aiserver.v1.GetMeResponse", authId: "" });
	});

	it("may hold an error inside an envelope", async () => {
		const end = JSON.stringify({ error: { code: "unavailable", message: "later" } });
		const url = await serve((_request, response) =>
			response.writeHead(200, PROTO).end(encodeEnvelope(2, Buffer.from(end))),
		);
		await expect(call(url)).rejects.toMatchObject({ kind: "upstream-unavailable", detail: "later" });
	});

	it.each([
		["a bomb", gzipSync(Buffer.alloc(64 << 20)), { "content-encoding": "gzip" }],
		["an unknown coding", ME, { "content-encoding": "zstd" }],
		["no gzip at all", ME, { "content-encoding": "gzip" }],
		["no protobuf", Buffer.from([0x0a, 0xff]), {}],
		["half an envelope", encodeEnvelope(0, ME).subarray(0, 9), {}],
	])("that is %s is a protocol error", async (_, body, headers) => {
		const url = await serve((_request, response) => response.writeHead(200, { ...PROTO, ...headers }).end(body));
		await expect(call(url)).rejects.toMatchObject({ kind: "upstream-protocol" });
	});

	it("that is a sign-in page of the network is none of Cursor's", async () => {
		const page = "<!doctype html><title>Hotel Wi-Fi</title>";
		const url = await serve((_request, response) => response.writeHead(200, { "content-type": "text/html" }).end(page));
		await expect(call(url)).rejects.toMatchObject({ kind: "upstream-protocol", detail: "HTTP 200: Hotel Wi-Fi" });
	});

	it("that points elsewhere is not followed", async () => {
		let elsewhere = 0;
		const other = await serve((_request, response) => {
			elsewhere += 1;
			response.writeHead(200, PROTO).end();
		});
		for (const status of [301, 302, 303, 307, 308]) {
			const url = await serve((_request, response) => response.writeHead(status, { location: other }).end());
			await expect(call(url)).rejects.toMatchObject({ kind: "upstream-protocol" });
		}
		expect(elsewhere).toBe(0);
	});

	it("is one of the closed set for every status", async () => {
		let status = 0;
		const url = await serve((_request, response) => response.writeHead(status, { "retry-after": "4" }).end("text"));
		for (status = 400; status <= 505; status++) {
			const error = await call(url).catch((thrown) => thrown);
			expect(error).toMatchObject({ name: "GatewayError", detail: `HTTP ${status}: text` });
			expect(error.kind).not.toBe("internal");
		}
	});

	it("that never comes is a timeout, and a host that is not there is unavailable", async () => {
		const silent = await serve(() => {});
		await expect(call(silent, 50)).rejects.toMatchObject({ kind: "upstream-timeout" });
		await expect(call("http://127.0.0.1:9")).rejects.toMatchObject({ kind: "upstream-unavailable" });
	});
});

it("U24: counts a reason to refuse that is not known", async () => {
	const value = Buffer.from([0x08, 0xe7, 0x07]).toString("base64");
	const body = {
		code: "failed_precondition",
		message: "Error",
		details: [{ type: "aiserver.v1.ErrorDetails", value }],
	};
	const url = await serve((_, response) =>
		response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify(body)),
	);
	const census = new Census({ now: Date.now });
	const client = rpcClient(url, { tokens: new ListedTokens("t"), countUnknown: census.counterFor("cli-test") });
	await expect(callUnary(client, getMe, {})).rejects.toMatchObject({ name: "GatewayError" });
	expect(census.rows()).toMatchObject([{ what: "enum-value", path: "aiserver.v1.ErrorDetails.error", value: 999 }]);
});

it("U24: counts what is unknown in an answer, and gives the rest", async () => {
	const field127 = Buffer.from([0xf8, 0x07, 5]);
	const url = await serve((_, response) => response.writeHead(200, PROTO).end(Buffer.concat([ME, field127])));
	const census = new Census({ now: Date.now });
	const client = rpcClient(url, { tokens: new ListedTokens("t"), countUnknown: census.counterFor("cli-test") });
	expect(await callUnary(client, getMe, {})).toMatchObject({ email: "me@example.test" });
	expect(census.rows()).toMatchObject([
		{ what: "field", path: "aiserver.v1.GetMeResponse.127", wireType: "varint", clientVersion: "cli-test", count: 1 },
	]);
});
