import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { chatClient } from "../kit/dialects/chat-client.ts";
import { askIn } from "../kit/dialects/dialect-client.ts";
import { startTestGateway, type TestGatewayOptions } from "../kit/gateway.ts";
import { result, tool, user } from "../kit/upstream.ts";

const RUN = "/agent.v1.AgentService/Run";
const UNIFIED = "/aiserver.v1.ChatService/StreamUnifiedChatWithTools";
const LEGACY = "/aiserver.v1.AiService/StreamChat";

const start = (switches: string[], options: TestGatewayOptions = {}) =>
	startTestGateway({ ...options, emulator: { brain: "echo", switches, ...options.emulator } });
const warnings = (response: { headers: Headers | undefined }) => response.headers?.get("x-cursorwire-warnings") ?? "";

const frame = (flags: number, payload: string) =>
	Buffer.from([flags, 0, 0, 0, payload.length, ...Buffer.from(payload)]);
const field = (number: number, text: string) => String.fromCharCode((number << 3) | 2, text.length) + text;

async function exchanged(url: string): Promise<{ accessToken: string }> {
	const headers = { authorization: "Bearer key_test", "content-type": "application/json" };
	const response = await fetch(`${url}/auth/exchange_user_api_key`, { method: "POST", headers, body: "{}" });
	return response.json() as Promise<{ accessToken: string }>;
}

describe("--protocol auto", () => {
	it("speaks the agent protocol, and tries no older one for any other refusal", async () => {
		const gateway = await start([], { emulator: { faults: ["error=ERROR_DEPRECATED@frame:1/Run"] } });
		expect((await askIn(chatClient, gateway, { messages: [user("x")] })).error?.kind).toBe("upstream-deprecated");
		gateway.emulator.clearFaults();
		const response = await askIn(chatClient, gateway, { messages: [user("fine")] });
		expect([response.text, warnings(response)]).toEqual(["fine", ""]);
		expect(gateway.emulator.stats().rpcs).not.toHaveProperty([UNIFIED]);
	});

	it("goes over to the unified one where the agent service is not there, says so, and remembers it", async () => {
		const gateway = await start(["agent-service=unimplemented"]);
		for (const words of ["first time", "second time"]) {
			const response = await askIn(chatClient, gateway, { messages: [user(words)] });
			expect(response).toMatchObject({ text: words, error: undefined });
			expect(warnings(response)).toBe("the agent protocol is not served there; the older unified one is used");
		}
		const { rpcs } = gateway.emulator.stats();
		expect([rpcs[RUN], rpcs[UNIFIED]]).toEqual([1, 2]);
	});

	it("with tools as well, which are called and answered in one run", async () => {
		const gateway = await start(["agent-service=unimplemented"], {
			emulator: {
				async *brain() {
					const [found] = yield { calls: [{ name: "look", arguments: {} }] };
					yield { text: found.text };
				},
			},
		});
		const tools = [tool("look")];
		const first = await askIn(chatClient, gateway, { messages: [user("x")], tools });
		const second = await askIn(chatClient, gateway, {
			messages: [
				user("x"),
				{ role: "assistant", content: first.turn.content },
				{ role: "tool", content: [result(first.calls[0]!.id, "42")] },
			],
			tools,
		});
		expect([second.text, second.headers?.get("x-cursorwire-path")]).toEqual(["42", "parked"]);
	});

	it("goes over to the legacy one where neither is there", async () => {
		// An upstream that serves StreamChat alone, as an older proxy does: everything else is not found.
		const gateway = await start([], {
			emulator: { faults: ["status=404@headers/Run", "status=404@headers/StreamUnifiedChatWithTools"] },
		});
		const response = await askIn(chatClient, gateway, { messages: [user("still here")] });
		expect(response).toMatchObject({ text: "still here", error: undefined });
		expect(warnings(response)).toContain("the older legacy one is used");
		expect(gateway.emulator.stats().rpcs).toMatchObject({ [RUN]: 1, [UNIFIED]: 1, [LEGACY]: 1 });
	});

	it("finds it also behind a proxy that speaks HTTP/1.1 and knows nothing else", async () => {
		const emulator = await start([]);
		const { accessToken } = await exchanged(emulator.emulator.url);
		const asked: string[] = [];
		const server = createServer((request, response) => {
			asked.push(request.url ?? "");
			request.resume();
			if (request.url !== LEGACY) return response.writeHead(404).end("Not Found");
			const frames = [...["from ", "of ", "old"].map((word) => frame(0, field(1, word))), frame(2, "{}")];
			response.writeHead(200, { "content-type": "application/connect+proto" }).end(Buffer.concat(frames));
		});
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		onTestFinished(() => void server.close());
		const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		const gateway = await startTestGateway({ settings: { upstream, acceptCursorCredentials: true } });
		const response = await gateway.post(
			"/v1/chat/completions",
			{ ...chatClient.body({ messages: [user("x")] }), stream: false },
			{ headers: { authorization: `Bearer ${accessToken}` } },
		);
		expect(await response.json()).toMatchObject({ choices: [{ message: { content: "from of old" } }] });
		expect(response.headers.get("x-cursorwire-warnings")).toContain("the older legacy one is used");
		expect(asked).toContain(LEGACY);
	});

	it("does not where the older one cannot do what is asked: the first refusal stands", async () => {
		const gateway = await start([], {
			emulator: { faults: ["status=404@headers/Run", "status=404@headers/StreamUnifiedChatWithTools"] },
		});
		const { error } = await askIn(chatClient, gateway, { messages: [user("x")], tools: [tool("look")] });
		expect(error?.fullMessage).toContain("HTTP 404");
		expect(gateway.emulator.stats().rpcs).not.toHaveProperty([LEGACY]);
	});

	it("fails with what Cursor says where nothing is served", async () => {
		const gateway = await start(["agent-service=unimplemented", "chat-service=unimplemented"]);
		const { error } = await askIn(chatClient, gateway, { messages: [user("x")] });
		expect(error?.kind).toBe("upstream-deprecated");
	});
});

describe("the protocol of single models", () => {
	it("goes before that of all", async () => {
		const gateway = await start([], {
			settings: { protocol: "agent", modelProtocols: { "composer-1": "unified", "grok-code": "legacy" } },
		});
		for (const model of ["composer-1", "grok-code", "default"]) {
			expect((await askIn(chatClient, gateway, { model, messages: [user(model)] })).text).toBe(model);
		}
		expect(gateway.emulator.stats().rpcs).toMatchObject({ [RUN]: 1, [UNIFIED]: 1, [LEGACY]: 1 });
	});
});
