import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { openCursorChecksum, tokenChecksum } from "../../src/upstream/account/checksum.ts";
import { chatClient } from "../kit/dialects/chat-client.ts";
import { askIn } from "../kit/dialects/dialect-client.ts";
import { startTestGateway, type TestGatewayOptions } from "../kit/gateway.ts";
import { result, tool, user } from "../kit/upstream.ts";

const start = (settings: TestGatewayOptions["settings"] = {}, emulator: TestGatewayOptions["emulator"] = {}) =>
	startTestGateway({
		emulator: { brain: "echo", strict: true, ...emulator },
		settings: { protocol: "legacy", ...settings },
	});
type Gateway = Awaited<ReturnType<typeof start>>;

const sentBy = ({ emulator }: Gateway) =>
	emulator.requests().findLast(({ path }) => path.endsWith("/StreamChat")) as {
		headers: Record<string, string>;
		body: Record<string, unknown>;
	};

describe("a legacy chat", () => {
	it("sends the system text as instructions, roles, ids of messages, model, project and conversation", async () => {
		const gateway = await start();
		await askIn(chatClient, gateway, {
			model: "gpt-5.4",
			system: ["be brief"],
			messages: [user("a"), { role: "assistant", content: [{ type: "text", text: "b" }] }, user("c")],
		});
		const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
		expect(sentBy(gateway).body).toEqual({
			messages: [
				{ content: "a", role: "ROLE_USER", messageId: id },
				{ content: "b", role: "ROLE_ASSISTANT", messageId: id },
				{ content: "c", role: "ROLE_USER", messageId: id },
			],
			instructions: { instruction: "be brief" },
			projectPath: "/project",
			model: { name: "gpt-5.4" },
			requestId: id,
			conversationId: id,
		});
	});

	it("sends an image as a Markdown link", async () => {
		const gateway = await start();
		const data = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
		await askIn(chatClient, gateway, {
			messages: [
				{
					role: "user",
					content: [
						{ type: "text", text: "see" },
						{ type: "image", mediaType: "image/png", data },
					],
				},
			],
		});
		const [message] = sentBy(gateway).body.messages as { content: string }[];
		expect(message!.content).toBe(`see\n\n![image](data:image/png;base64,${data.toString("base64")})`);
	});

	it.each(["http://127.0.0.1:9/a.png", "https://example.com/b.png?c=(d)"])("sends %s as a link", async (url) => {
		const gateway = await start();
		const content = [
			{ type: "text", text: "see" },
			{ type: "image_url", image_url: { url } },
		];
		const body = { model: "gpt-5.4", messages: [{ role: "user", content }] };
		const response = await gateway.post("/v1/chat/completions", body);
		expect(response.status).toBe(200);
		const [message] = sentBy(gateway).body.messages as { content: string }[];
		expect(message!.content).toBe(`see\n\n![image](${url})`);
	});

	it.each(["agent", "unified", "auto"])(
		"is the only one that takes a link: %s refuses it by its place",
		async (protocol) => {
			const gateway = await start({ protocol });
			const link = { url: "https://example.com/a.png" };
			const ask = async (path: string, body: object) => {
				const response = await gateway.post(path, { model: "gpt-5.4", max_tokens: 9, ...body });
				const { error } = (await response.json()) as { error: { message: string; param?: string } };
				return [response.status, error.message.split(". ")[0], error.param];
			};
			const sentence = "The gateway does not fetch images from URLs";
			const content = [{ type: "image_url", image_url: link }];
			expect(await ask("/v1/chat/completions", { messages: [{ role: "user", content }] })).toEqual([
				400,
				sentence,
				"messages[0].content[0].image_url.url",
			]);
			const source = { type: "url", ...link };
			const [status, message] = await ask("/v1/messages", {
				messages: [{ role: "user", content: [{ type: "image", source }] }],
			});
			expect([status, message]).toEqual([400, expect.stringContaining(sentence)]);
			expect(gateway.emulator.stats().streams.opened).toBe(0);
		},
	);

	it("takes no link from a tool", async () => {
		const gateway = await start();
		const call = { id: "a", type: "function", function: { name: "shot", arguments: "{}" } };
		const content = [{ type: "image_url", image_url: { url: "https://example.com/a.png" } }];
		const messages = [
			{ role: "user", content: "x" },
			{ role: "assistant", tool_calls: [call] },
			{ role: "tool", tool_call_id: "a", content },
		];
		const response = await gateway.post("/v1/chat/completions", { model: "gpt-5.4", messages });
		expect([response.status, await response.json()]).toMatchObject([
			400,
			{ error: { param: "messages[2].content[0].image_url.url" } },
		]);
	});

	it.each([
		["offered", { messages: [user("x")], tools: [tool("look")] }, "tools"],
		[
			"in the history",
			{
				messages: [
					user("x"),
					{
						role: "assistant" as const,
						content: [{ type: "tool-call" as const, id: "c", name: "look", arguments: "{}" }],
					},
					{ role: "tool" as const, content: [result("c", "r")] },
				],
			},
			"messages",
		],
	])("refuses tools %s with a clear 400, and sends nothing", async (_where, request, param) => {
		const gateway = await start();
		const response = await gateway.post("/v1/chat/completions", chatClient.body(request));
		const { error } = (await response.json()) as { error: { message: string; param: string } };
		expect([response.status, error.param]).toEqual([400, param]);
		expect(error.message).toMatch(/StreamChat\) has no tools\. .*--protocol agent/);
		expect(gateway.emulator.stats().streams.opened).toBe(0);
	});

	it("gives a JSON object, but refuses a schema by its place", async () => {
		const gateway = await start(
			{},
			{
				brain: async function* () {
					yield { text: '{"a":1}' };
				},
			},
		);
		const ask = (response_format: object) =>
			gateway.post("/v1/chat/completions", {
				...chatClient.body({ messages: [user("x")] }),
				stream: false,
				response_format,
			});
		expect(await (await ask({ type: "json_object" })).json()).toMatchObject({
			choices: [{ message: { content: '{"a":1}' } }],
		});
		const schema = { type: "object", properties: { a: { type: "number" } } };
		const refused = await ask({ type: "json_schema", json_schema: { name: "n", schema } });
		expect([refused.status, await refused.json()]).toMatchObject([
			400,
			{ error: { param: "response_format.json_schema.schema" } },
		]);
	});

	it("takes tools that the client has and forbids", async () => {
		const gateway = await start();
		const body = chatClient.body({ messages: [user("just talk")], tools: [tool("look")] });
		const response = await gateway.post("/v1/chat/completions", { ...body, stream: false, tool_choice: "none" });
		expect(await response.json()).toMatchObject({ choices: [{ message: { content: "just talk" } }] });
	});

	it("reads the error frame of a server that knows nothing else, byte by byte as the old clients saw it", async () => {
		const json = '{"error":{"code":"resource_exhausted","message":"You have hit your usage limit"}}';
		const frame = Buffer.concat([Buffer.from([2, 0, 0, 0, json.length]), Buffer.from(json)]);
		const server = createServer((request, response) => {
			request.resume();
			if (!request.url?.endsWith("/StreamChat")) return response.writeHead(404).end("Not Found");
			response.writeHead(200, { "content-type": "application/connect+proto" }).end(frame);
		});
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		onTestFinished(() => void server.close());
		const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		const gateway = await start({ http1: true });
		const { accessToken } = await exchanged(gateway);
		const asked = await startTestGateway({
			settings: { upstream, protocol: "legacy", http1: true, acceptCursorCredentials: true },
		});
		const response = await asked.post("/v1/chat/completions", chatClient.body({ messages: [user("x")] }), {
			headers: { authorization: `Bearer ${accessToken}` },
		});
		const { error } = (await response.json()) as { error: { message: string; code: string } };
		expect([response.status, error.code]).toEqual([402, "insufficient_quota"]);
		expect(error.message).toContain("You have hit your usage limit");
	});
});

async function exchanged({ emulator }: Pick<Gateway, "emulator">): Promise<{ accessToken: string }> {
	const headers = { authorization: "Bearer key_test", "content-type": "application/json" };
	const response = await fetch(`${emulator.url}/auth/exchange_user_api_key`, { method: "POST", headers, body: "{}" });
	return response.json() as Promise<{ accessToken: string }>;
}

describe("the headers of a legacy chat", () => {
	const headersWith = async (settings: TestGatewayOptions["settings"]) => {
		const gateway = await start({ ...settings, acceptCursorCredentials: true });
		const { accessToken } = await exchanged(gateway);
		await gateway.post("/v1/chat/completions", chatClient.body({ messages: [user("x")] }), {
			headers: { authorization: `Bearer ${accessToken}` },
		});
		return { accessToken, headers: sentBy(gateway).headers };
	};

	it("have a checksum over the token, the time zone and a client version", async () => {
		const before = Date.now();
		const { headers, accessToken } = await headersWith({ chatClientVersion: "0.42.3" });
		expect(headers).toMatchObject({
			"x-cursor-timezone": Intl.DateTimeFormat().resolvedOptions().timeZone,
			"x-cursor-client-version": "0.42.3",
			"x-cursor-client-type": "ide",
		});
		const possible = [before, Date.now()].map((now) => tokenChecksum(now, accessToken));
		expect(possible).toContain(headers["x-cursor-checksum"]);
	});

	it("have the other form of it where a setting says so", async () => {
		const { headers } = await headersWith({ checksumForm: "machine" });
		expect(headers["x-cursor-checksum"]).toMatch(/^[\w-]{8}[0-9a-f]{64}$/);
	});

	it("have the form of OpenCursor where a setting says so", async () => {
		const before = Date.now();
		const { headers, accessToken } = await headersWith({ checksumForm: "opencursor" });
		const possible = [before, Date.now()].map((now) => openCursorChecksum(now, accessToken));
		expect(possible).toContain(headers["x-cursor-checksum"]);
	});

	it.each([
		[true, "legacy", "auto", "true"],
		[true, "unified", "plain", "true"],
		[true, "unified", "auto", "true"],
		[true, "unified", "idempotent", "true"],
		[false, "legacy", "auto", undefined],
	])("tell a stream over HTTP/1.1 (%s) of %s, %s", async (http1, protocol, unifiedStream, expected) => {
		const gateway = await start({ http1, protocol, unifiedStream });
		const response = await askIn(chatClient, gateway, { messages: [user("x")] });
		expect(response.text).toBe("x");
		const streams = gateway.emulator.requests().filter(({ path }) => /\/Stream\w*Chat/.test(path));
		expect(streams.map(({ headers }) => headers["x-cursor-streaming"])).toEqual([expected]);
	});

	it("have the user's own where there is one", async () => {
		const { headers } = await headersWith({ checksum: "zo6Qjequ9b9734d1f/b33f" });
		expect(headers["x-cursor-checksum"]).toBe("zo6Qjequ9b9734d1f/b33f");
	});
});
