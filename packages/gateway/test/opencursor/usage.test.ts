// OpenCursor's own usage example, with nothing but the address changed.
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { startTestGateway } from "../kit/gateway.ts";

const MODELS = [{ id: "gpt-4o", displayName: "GPT-4o", vendor: "openai" as const }];
const ACCOUNTS = { accounts: [{ id: "user_01DEMO", acceptAnyKey: true }], models: MODELS };

/** A gateway on which nobody has signed in, and the session token of a user of Cursor's web page. */
async function start(protocol: string) {
	const gateway = await startTestGateway({
		emulator: {
			accounts: ACCOUNTS,
			async *brain(turn) {
				yield { text: `${[...turn.system, ...turn.rules][0] ?? ""}` };
				for (const word of turn.prompt.split(" ")) yield { text: `${word} ` };
			},
		},
		settings: { protocol, apiKey: "", acceptCursorCredentials: true },
	});
	const headers = { authorization: "Bearer key_of_the_test", "content-type": "application/json" };
	const exchange = `${gateway.emulator.url}/auth/exchange_user_api_key`;
	const { accessToken } = (await (await fetch(exchange, { method: "POST", headers, body: "{}" })).json()) as {
		accessToken: string;
	};
	return { gateway, accessToken, baseURL: `${gateway.url}/v1` };
}

const FORMS: readonly (readonly [string, (jwt: string) => string])[] = [
	["encoded", (jwt) => `user_01DEMO%3A%3A${jwt}`],
	["plain", (jwt) => `user_01DEMO::${jwt}`],
	["the JWT alone", (jwt) => jwt],
];

describe.each(["legacy", "agent", "unified", "auto"])("OpenCursor's example over %s", (protocol) => {
	it.each(FORMS)("with the session token %s, streamed and not", async (_form, tokenOf) => {
		const { accessToken, baseURL, gateway } = await start(protocol);
		const client = new OpenAI({ apiKey: tokenOf(accessToken), baseURL });

		const completion = await client.chat.completions.create({
			model: "gpt-4o",
			messages: [{ role: "user", content: "Say hello" }],
		});
		expect(completion).toMatchObject({ object: "chat.completion", model: "gpt-4o" });
		expect(completion.choices).toMatchObject([
			{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Say hello " } },
		]);

		const stream = await client.chat.completions.create({
			model: "gpt-4o",
			messages: [{ role: "user", content: "Say hello" }],
			stream: true,
		});
		let text = "";
		const reasons: unknown[] = [];
		for await (const chunk of stream) {
			text += chunk.choices[0]?.delta?.content || "";
			reasons.push(chunk.choices[0]?.finish_reason ?? null);
		}
		expect(text).toBe("Say hello ");
		expect(reasons.at(-1)).toBe("stop");
		expect(gateway.emulator.stats().runs).toMatchObject({ started: 2, ended: 2 });
	});

	it("with the system prompt in a field of its own", async () => {
		const { accessToken, baseURL } = await start(protocol);
		const client = new OpenAI({ apiKey: accessToken, baseURL });
		const completion = await client.chat.completions.create({
			model: "gpt-4o",
			messages: [{ role: "user", content: "hello" }],
			system: "Be brief. ",
		} as OpenAI.ChatCompletionCreateParamsNonStreaming);
		expect(completion.choices[0]!.message.content).toBe("Be brief. hello ");
	});
});

const SAID = [
	{ role: "user", content: "first" },
	{ role: "assistant", content: "answer" },
];

describe.each(["legacy", "agent", "unified"])("empty content over %s", (protocol) => {
	it.each([
		["an empty text", [{ role: "user", content: "" }]],
		["no parts", [{ role: "user", content: [] }]],
		["an empty part", [{ role: "user", content: [{ type: "text", text: "" }] }]],
		["null", [{ role: "user", content: null }]],
		["an empty system message alone", [{ role: "system", content: "" }]],
		["an empty answer alone", [{ role: "assistant", content: "" }]],
		["an empty text behind an answer", [...SAID, { role: "user", content: "" }]],
	])("is taken as it is: %s", async (_what, messages) => {
		const prompts: string[] = [];
		const gateway = await startTestGateway({
			emulator: {
				accounts: ACCOUNTS,
				strict: true,
				async *brain({ prompt }) {
					prompts.push(prompt);
					yield { text: "heard" };
				},
			},
			settings: { protocol },
		});
		const response = await gateway.post("/v1/chat/completions", { model: "gpt-4o", messages });
		expect([response.status, await response.json()]).toMatchObject([
			200,
			{ choices: [{ message: { content: "heard" } }] },
		]);
		expect(prompts).toEqual([""]);
	});
});

describe("a key that is none", () => {
	it("is refused at the door, and never sent to Cursor", async () => {
		const { baseURL, gateway } = await start("legacy");
		const client = new OpenAI({ apiKey: "WorkosCursorSessionToken_value_here", baseURL, maxRetries: 0 });
		const asking = client.chat.completions.create({ model: "gpt-4o", messages: [{ role: "user", content: "x" }] });
		await expect(asking).rejects.toMatchObject({ status: 401 });
		expect(gateway.emulator.stats().streams.opened).toBe(0);
	});
});
