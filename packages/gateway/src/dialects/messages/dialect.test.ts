import { describe, expect, it } from "vitest";
import { TurnCollector } from "../../turn/collect.ts";
import { GatewayError } from "../../turn/error.ts";
import type { TurnEvent } from "../../turn/event.ts";
import { messagesCall } from "./dialect.ts";

const EVENTS: TurnEvent[] = [
	{ type: "turn-start", runId: "r", model: "upstream-model", path: "new" },
	{ type: "text-start" },
	{ type: "text-delta", text: "hi" },
	{ type: "text-end" },
	{ type: "turn-end", reason: "stop" },
];

describe("messagesCall", () => {
	let ids = 0;
	const options = { newId: () => `id${++ids}`, requestId: "req_id2" };
	const body = { model: "claude", max_tokens: 5, stream: true, messages: [{ role: "user", content: "hi" }] };
	const made = messagesCall(body, options);

	it("reads a request", async () => {
		const call = await made;
		expect(call).toMatchObject({ dialect: "messages", stream: true, choices: 1, turn: { model: "claude" } });
	});

	it("answers with one id and the model that answered, streamed or not", async () => {
		const call = await made;
		const collector = new TurnCollector();
		for (const event of EVENTS) collector.add(event);
		expect(call.encoder(0).encode(EVENTS)).toContain(
			'"message":{"id":"msg_id1","type":"message","role":"assistant","model":"upstream-model"',
		);
		expect(call.whole([collector.turn])).toMatchObject({
			id: "msg_id1",
			model: "upstream-model",
			stop_reason: "end_turn",
		});
	});

	it("names the request in its errors, streamed or not", async () => {
		const call = await made;
		const error = new GatewayError("overloaded");
		expect(call.error(error)).toMatchObject({ status: 503, body: { type: "error", request_id: "req_id2" } });
		expect(call.encoder(0).encodeError(error)).toContain('"request_id":"req_id2"');
	});

	it("refuses what is no request", async () => {
		await expect(messagesCall({ model: "claude" }, options)).rejects.toThrow(
			"messages is required and must be an array.",
		);
	});
});
