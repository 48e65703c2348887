import { startEmulator } from "cursorwire-emulator";
import OpenAI from "openai";
import { describe, expect, it, onTestFinished } from "vitest";
import { runProgram, startProgram, temporaryFolder } from "../kit/program.ts";

async function emulator() {
	const started = await startEmulator({ brain: "echo" });
	onTestFinished(() => started.close());
	return started;
}

describe("cursorwire serve in the environment of OpenCursor", () => {
	it("listens and asks where its variables say, and names its own", async () => {
		const backend = await emulator();
		const headers = { authorization: "Bearer key_any", "content-type": "application/json" };
		const exchange = await fetch(`${backend.url}/auth/exchange_user_api_key`, { method: "POST", headers, body: "{}" });
		const { accessToken } = (await exchange.json()) as { accessToken: string };
		const program = startProgram(
			["serve", "--json", "--protocol", "legacy", "--log-level", "silent", "--accept-cursor-credentials"],
			{
				HOME: temporaryFolder(),
				PORT: "0",
				CURSOR_URL: `${backend.url}/aiserver.v1.AiService/StreamChat`,
				CURSOR_CHECKSUM: "own/checksum",
			},
		);
		const [, url] = await program.prints(/"url":"([^"]+)"/);
		const client = new OpenAI({ apiKey: `user_01DEMO%3A%3A${accessToken}`, baseURL: `${url}/v1` });
		const { choices } = await client.chat.completions.create({
			model: "composer-1",
			messages: [{ role: "user", content: "Say hello" }],
		});
		expect(choices[0]!.message.content).toBe("Say hello");
		const asked = backend.requests().find(({ path }) => path.endsWith("/StreamChat"));
		expect(asked?.headers["x-cursor-checksum"]).toBe("own/checksum");
		program.child.kill("SIGTERM");
		const { code, err } = await program.ended;
		expect(code).toBe(0);
		for (const name of ["CURSORWIRE_PORT", "CURSORWIRE_UPSTREAM", "CURSORWIRE_CHECKSUM"]) expect(err).toContain(name);
	});
});

describe("cursorwire ask --protocol", () => {
	it("asks in any of them, and refuses one that there is not in one line", async () => {
		const backend = await emulator();
		const env = {
			CURSORWIRE_UPSTREAM: backend.url,
			CURSORWIRE_DATA_DIR: temporaryFolder(),
			CURSOR_API_KEY: "key_test",
		};
		const [refused, ...answers] = await Promise.all([
			runProgram(["ask", "--protocol", "newest", "x"], env),
			...["agent", "unified", "legacy"].map((protocol) =>
				runProgram(["ask", "--protocol", protocol, "over", protocol], env),
			),
		]);
		expect([refused!.code, refused!.err]).toEqual([
			2,
			'--protocol: takes auto, agent, unified, legacy, not "newest"\n',
		]);
		expect(answers.map(({ code, out }) => [code, out])).toEqual([
			[0, "over agent\n"],
			[0, "over unified\n"],
			[0, "over legacy\n"],
		]);
		expect(backend.stats().rpcs).toMatchObject({
			"/agent.v1.AgentService/Run": 1,
			"/aiserver.v1.ChatService/StreamUnifiedChatWithTools": 1,
			"/aiserver.v1.AiService/StreamChat": 1,
		});
	});
});
