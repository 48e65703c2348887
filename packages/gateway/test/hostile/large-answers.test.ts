// L6: an answer of 50 MB reaches the client whole, in every API, streamed and not, and is kept where it is to be.
import type { Action } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { startTestGateway } from "../kit/gateway.ts";

const PIECES = 100;
const PIECE = "~".repeat(500_000);
const LENGTH = PIECES * PIECE.length;

async function* brain(): AsyncGenerator<Action> {
	for (let count = 0; count < PIECES; count++) yield { text: PIECE };
}

const pool = { limitCents: 1e9 };
const accounts = { accounts: [{ id: "user_1", acceptAnyKey: true, quota: { auto: pool, api: pool } }] };

/** In the protocol that does not end with the whole answer in one message: one of so many bytes is refused. */
const start = () => startTestGateway({ emulator: { brain, accounts }, settings: { protocol: "unified" } });

const TILDE = PIECE.charCodeAt(0);

/** How often the character comes that the answer is made of, and how the body ends. */
async function measured(response: Response): Promise<{ said: number; end: string }> {
	let said = 0;
	let end = "";
	for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
		for (const byte of chunk) if (byte === TILDE) said++;
		end = (end + Buffer.from(chunk).toString("latin1")).slice(-20_000);
	}
	return { said, end };
}

const question = { model: "composer-1", messages: [{ role: "user", content: "go on" }], max_tokens: 100_000_000 };

describe("L6: an answer of 50 MB", () => {
	it.each([
		["Chat Completions", "/v1/chat/completions", question, "data: [DONE]\n\n", 1],
		["Messages", "/v1/messages", question, '"type":"message_stop"', 1],
		// Behind the deltas come the text, the part, the item and the response, each with all of it.
		["Responses", "/v1/responses", { model: "composer-1", input: "go on" }, '"status":"completed"', 5],
	])("passes in %s, streamed and whole", async (_name, path, body, end, times) => {
		const gateway = await start();
		const streamed = await measured(await gateway.post(path, { ...body, stream: true }));
		expect(streamed.said).toBe(times * LENGTH);
		expect(streamed.end).toContain(end);
		const whole = await gateway.post(path, body);
		expect(whole.status).toBe(200);
		expect((await measured(whole)).said).toBe(LENGTH);
	});

	it("is kept by its id", async () => {
		const gateway = await start();
		const answer = await gateway.post("/v1/responses", { model: "composer-1", input: "go on" });
		const { id } = (await answer.json()) as { id: string };
		const kept = await gateway.fetch(`/v1/responses/${id}`);
		expect(kept.status).toBe(200);
		expect((await measured(kept)).said).toBe(LENGTH);
	});
});
