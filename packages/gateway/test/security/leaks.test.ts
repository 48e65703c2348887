// A17 and A18: secrets and prompts go through every path of a gateway that logs as much as it can, and turn up nowhere.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulator } from "cursorwire-emulator";
import { expect, it, onTestFinished } from "vitest";
import { STORE_FILE } from "../../src/store/open-store.ts";
import { until } from "../kit/cleanup.ts";
import { chatClient } from "../kit/dialects/chat-client.ts";
import { askIn } from "../kit/dialects/dialect-client.ts";
import { messagesClient } from "../kit/dialects/messages-client.ts";
import { responsesClient } from "../kit/dialects/responses-client.ts";
import { startTestGateway } from "../kit/gateway.ts";
import { LOOK, obedient } from "../kit/hostile/brain.ts";
import { RawClient } from "../kit/hostile/raw-client.ts";
import { say } from "../kit/hostile/rig.ts";
import { startProgram, temporaryFolder } from "../kit/program.ts";
import { user } from "../kit/upstream.ts";

const SECRETS = {
	"the gateway's key": "cw_canaryGatewayKey0123456789abcdefghijklmnopqr",
	"the API key of the installation": "key_canaryOwnApiKey0123456789",
	"an API key that came with a request": "crsr_canaryCallersApiKey0123456789",
	"a key that was refused": "cw_canaryWrongKey0123456789",
	"a header nobody reads": "canaryHeader0123456789",
	"a cookie": "canaryCookie0123456789",
};
const WORDS = {
	"a prompt": "canaryPrompt0123456789",
	"a system prompt": "canarySystem0123456789",
	"a tool's description": "canaryTool0123456789",
	"a tool's result": "canaryResult0123456789",
	"a query": "canaryQuery0123456789",
};
/** Access and refresh tokens, which only the emulator and the gateway know. */
const TOKEN = /eyJ[\w-]{10,}\.eyJ/;

function filesIn(folder: string): string[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));
}

it("A17, A18: nothing of them stands in logs, answers or files", async () => {
	const emulator = await startEmulator({ brain: obedient });
	onTestFinished(() => emulator.close());
	const dataDir = temporaryFolder();
	const program = startProgram(
		[
			"serve",
			"--port",
			"0",
			"--upstream",
			emulator.url,
			"--data-dir",
			dataDir,
			"--log-level",
			"trace",
			"--accept-cursor-credentials",
		],
		{ CURSOR_API_KEY: SECRETS["the API key of the installation"], CURSORWIRE_KEY: SECRETS["the gateway's key"] },
	);
	const [, url] = (await program.prints(/base URL +(http:\S+)\/v1/)) as unknown as [string, string];
	const answers: string[] = [];

	const headers = {
		"content-type": "application/json",
		cookie: `session=${SECRETS["a cookie"]}`,
		"x-canary": SECRETS["a header nobody reads"],
	};
	const send = async (path: string, key: string, body?: string | object, more: Record<string, string> = {}) => {
		const response = await fetch(`${url}${path}`, {
			method: body === undefined ? "GET" : "POST",
			headers: { ...headers, authorization: `Bearer ${key}`, ...more },
			...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
		});
		const text = await response.text();
		answers.push(JSON.stringify([...response.headers]), text);
		return { status: response.status, text };
	};
	const key = SECRETS["the gateway's key"];
	const ask = (prompt: string, more: object = {}, by = key) => {
		const system = { role: "system", content: `Be like ${WORDS["a system prompt"]}` };
		const body = say(`${prompt} ${WORDS["a prompt"]}`, { user: "someone", ...more });
		return send("/v1/chat/completions", by, { ...body, messages: [system, ...body.messages] });
	};

	// What works.
	expect((await ask("hello")).status).toBe(200);
	expect((await ask("hello", { stream: true })).status).toBe(200);
	expect((await ask("hello", {}, SECRETS["an API key that came with a request"])).status).toBe(200);
	expect((await send("/v1/models", key)).status).toBe(200);
	expect((await send("/healthz", key)).status).toBe(200);
	const tools = [{ ...LOOK, function: { ...LOOK.function, description: WORDS["a tool's description"] } }];
	const request = say(`look at ${WORDS["a prompt"]}`, { tools });
	const { message } = JSON.parse((await send("/v1/chat/completions", key, request)).text).choices[0];
	const result = { role: "tool", tool_call_id: message.tool_calls[0].id, content: WORDS["a tool's result"] };
	const withResult = { ...request, messages: [...request.messages, message, result] };
	expect((await send("/v1/chat/completions", key, withResult)).status).toBe(200);
	// Once more with another result, and once with a call that is not known.
	const other = { ...result, content: `${result.content}, twice` };
	expect(
		(await send("/v1/chat/completions", key, { ...request, messages: [...request.messages, message, other] })).status,
	).toBe(200);

	// What does not: keys, addresses, bodies.
	const wrong = SECRETS["a key that was refused"];
	expect((await ask("hello", {}, wrong)).status).toBe(401);
	expect((await send(`/v1/models?key=${WORDS["a query"]}`, wrong)).status).toBe(401);
	expect((await send(`/v1/models/${WORDS["a query"]}`, key)).status).toBe(404);
	expect((await send(`/${WORDS["a query"]}`, key)).status).toBe(404);
	expect((await send(`/%zz${WORDS["a query"]}`, key)).status).toBe(400);
	expect((await send("/v1/chat/completions", key, `{"prompt":"${WORDS["a prompt"]}`)).status).toBe(400);
	expect((await send("/v1/chat/completions", key, { model: 5, messages: [WORDS["a prompt"]] })).status).toBe(400);
	expect((await ask("hello", { n: WORDS["a prompt"] })).status).toBe(400);
	expect(
		(await ask("hello", { tools: [{ type: "function", function: { name: WORDS["a prompt"], parameters: 5 } }] }))
			.status,
	).toBe(400);

	// What fails upstream, in many ways, before and in the middle of an answer.
	expect((await ask("fail")).status).toBeGreaterThanOrEqual(400);
	const faults = [
		"status=401@headers*1",
		"status=500@headers*1",
		"html=502@headers*1",
		"error=ERROR_BAD_API_KEY@frame:2*1",
	];
	const more = ["cut@frame:2*1", "reset@frame:3*1", "bad-error=long-message@frame:2*1", "bad-error=not-json@end*1"];
	const strange = ["huge-length@frame:2*1", "no-end-stream@end*1", "wrong-type@headers*1", "unknown-message@frame:2*1"];
	for (const fault of [...faults, ...more, ...strange]) emulator.addFault(fault);
	// All at once: some of them wait before they try again.
	await Promise.all(Array.from({ length: 24 }, (_, at) => ask("hello", { stream: at % 2 === 0 })));
	emulator.clearFaults();
	emulator.expireTokens();
	// So many failures may have opened the breaker, which pauses for five seconds.
	await until(async () => (await ask("hello")).status === 200);

	// Clients that leave, and bytes that are no request.
	const { port } = new URL(url);
	const leaver = await RawClient.open(Number(port));
	const body = JSON.stringify(say(`hang ${WORDS["a prompt"]}`));
	const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
	const { started } = emulator.stats().runs;
	leaver.send(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
	await until(() => emulator.stats().runs.started > started);
	leaver.reset();
	const stranger = await RawClient.open(Number(port));
	stranger.send(`${head}X-Broken: a\0b${SECRETS["a header nobody reads"]}\r\n\r\n`);
	answers.push((await stranger.response()).body);
	stranger.close();

	program.child.kill("SIGTERM");
	const { code, out, err } = await program.ended;
	expect(code).toBe(0);
	// There is something to search in.
	expect(err.split("\n").length).toBeGreaterThan(20);
	expect(filesIn(dataDir).map((file) => file.slice(dataDir.length + 1))).toContain(STORE_FILE);

	const files = Object.fromEntries(filesIn(dataDir).map((file) => [file, readFileSync(file, "latin1")]));
	const places = { out, err, "an answer": answers.join("\n"), ...files };
	expect(places["an answer"]).toContain(WORDS["a prompt"]);
	for (const [place, text] of Object.entries(places)) {
		for (const [what, secret] of Object.entries(SECRETS))
			expect(text.includes(secret), `${what} in ${place}`).toBe(false);
		expect(TOKEN.test(text), `a token in ${place}`).toBe(false);
		// Conversations are kept in the store, which is what it is for; answers are for who asked.
		if (place.includes(STORE_FILE) || place === "an answer") continue;
		for (const [what, word] of Object.entries(WORDS)) expect(text.includes(word), `${what} in ${place}`).toBe(false);
	}
});

it.each([chatClient, messagesClient, responsesClient])(
	"A17: an error text of Cursor that quotes a credential is masked, before and within an answer ($name)",
	async (client) => {
		const token = `eyJhbGciOiJIUzI1NiJ9.eyJ${"a".repeat(40)}.${"b".repeat(20)}`;
		const gateway = await startTestGateway({
			emulator: {
				brain: async function* (turn) {
					if (turn.prompt === "late") yield { text: "so far so good" };
					const message = `Bearer ${token} and key_0123456789abcdef are no longer valid`;
					yield { error: { code: "invalid_argument", message } };
				},
			},
		});
		for (const prompt of ["early", "late"]) {
			const { error } = await askIn(client, gateway, { messages: [user(prompt)] });
			expect(error?.message).toContain("no longer valid");
			expect(error?.message).not.toMatch(/eyJ|key_0/);
		}
	},
);
