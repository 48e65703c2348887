// Every answer names its request, whatever became of it, so that a report of a user can be found in a log.
import { describe, expect, it } from "vitest";
import type { RawResponse } from "../kit/hostile/raw-client.ts";
import { CHAT, expectRefusal, say, useRig } from "../kit/hostile/rig.ts";

const rig = useRig();
const MESSAGES = "/v1/messages";
const JSON_BODY = "Content-Type: application/json";

const lines = (...all: string[]) => `${all.join("\r\n")}\r\n\r\n`;
const unsigned = (method: string, target: string, ...more: string[]) =>
	lines(`${method} ${target} HTTP/1.1`, `Host: 127.0.0.1:${rig.port}`, ...more);
const ask = { model: "composer-1", max_tokens: 100, messages: [{ role: "user", content: "hello" }] };

const OPENAI: [string, number, () => string | Uint8Array][] = [
	["a whole answer", 200, () => rig.chat(say("hello"))],
	["a stream", 200, () => rig.chat(say("hello", { stream: true }))],
	["an answer of the Responses API", 200, () => rig.post("/v1/responses", { model: "composer-1", input: "hello" })],
	["the list of models", 200, () => rig.head("GET", "/v1/models")],
	["a sign of life", 200, () => unsigned("GET", "/healthz")],
	["a body that is no JSON", 400, () => rig.post(CHAT, "{")],
	["a body that is no request", 400, () => rig.chat({})],
	["a broken path", 400, () => rig.head("GET", "/v1/%zz")],
	["a header that is none", 400, () => rig.head("GET", "/v1/models", "X Odd: a")],
	["no HTTP at all", 400, () => lines("hello")],
	["no host", 400, () => lines("GET /v1/models HTTP/1.1")],
	["no key", 401, () => unsigned("GET", "/v1/models")],
	["another host", 403, () => lines("GET /v1/models HTTP/1.1", "Host: evil.test")],
	["a path that is not there", 404, () => rig.head("GET", "/v1/nothing")],
	["another method", 405, () => rig.head("PUT", CHAT, JSON_BODY, "Content-Length: 0")],
	["a body beyond the limit", 413, () => rig.head("POST", CHAT, JSON_BODY, `Content-Length: ${64 << 20}`)],
	["another kind of body", 415, () => rig.head("POST", CHAT, "Content-Type: text/plain", "Content-Length: 0")],
	["an expectation that nobody knows", 417, () => rig.head("GET", "/v1/models", "Expect: wonders")],
	["a WebSocket", 426, () => rig.head("GET", "/v1/responses")],
	["headers beyond the limit", 431, () => rig.head("GET", "/v1/models", `X-Long: ${"x".repeat(17_000)}`)],
];

const ANTHROPIC: [string, number, () => string | Uint8Array][] = [
	["a whole answer", 200, () => rig.post(MESSAGES, ask)],
	["a stream", 200, () => rig.post(MESSAGES, { ...ask, stream: true })],
	["a count", 200, () => rig.post(`${MESSAGES}/count_tokens`, ask)],
	["a body that is no request", 400, () => rig.post(MESSAGES, {})],
	["no key", 401, () => unsigned("POST", MESSAGES, JSON_BODY, "Content-Length: 0")],
	["another method", 405, () => rig.head("GET", MESSAGES)],
	["the list of models", 200, () => rig.head("GET", "/v1/models", "anthropic-version: 2023-06-01")],
	["a path that is not there", 404, () => rig.head("GET", "/v1/nothing", "anthropic-version: 2023-06-01")],
];

function idOf({ headers }: RawResponse, name: string): string {
	expect(headers[name]).toMatch(/^req_[\w-]{8,}$/);
	return headers[name]!;
}

describe("an id of the request", () => {
	it.each(OPENAI)("is in OpenAI's header: %s", async (_name, status, bytes) => {
		const [one, other] = [await rig.answerTo(bytes()), await rig.answerTo(bytes())];
		expect(one.status, one.body).toBe(status);
		expect(idOf(one, "x-request-id")).not.toBe(idOf(other, "x-request-id"));
		if (status >= 400) expectRefusal(one, status);
	});

	it.each(ANTHROPIC)(
		"is in Anthropic's header, and the same in the body of an error: %s",
		async (_name, status, bytes) => {
			const answer = await rig.answerTo(bytes());
			expect(answer.status, answer.body).toBe(status);
			const id = idOf(answer, "request-id");
			if (status >= 400) expect(JSON.parse(answer.body)).toMatchObject({ type: "error", request_id: id });
		},
	);
});

describe("the form of an error", () => {
	it.each([CHAT, "/chat/completions", "/v1/responses", "/v1/responses/resp_1", "/v1/completions", "/v1/embeddings"])(
		"goes by the path, not by a header: %s",
		async (path) => {
			const method = path.endsWith("_1") ? "GET" : "POST";
			for (const key of [rig.key, "cw_wrong"]) {
				const head = rig.as(key).head(method, path, JSON_BODY, "Content-Length: 2", "anthropic-version: 2023-06-01");
				const answer = await rig.answerTo(`${head}${method === "POST" ? "{}" : ""}`);
				expectRefusal(answer, answer.status);
				expect(answer.status).toBeGreaterThanOrEqual(400);
			}
		},
	);

	it("is Anthropic's at its paths, with and without its header", async () => {
		for (const more of [[], ["anthropic-version: 2023-06-01"]]) {
			const { body } = await rig.answerTo(rig.post(MESSAGES, {}, ...more));
			expect(JSON.parse(body)).toMatchObject({ type: "error", error: { type: "invalid_request_error" } });
		}
	});
});
