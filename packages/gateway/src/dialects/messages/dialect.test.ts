import { describe, expect, it } from "vitest";
import { TurnCollector } from "../../turn/collect.ts";
import { GatewayError } from "../../turn/error.ts";
import type { TurnEvent } from "../../turn/event.ts";
import type { DialectContext } from "../dialect.ts";
import { messagesDialect } from "./dialect.ts";

const EVENTS: TurnEvent[] = [
	{ type: "turn-start", runId: "r", model: "upstream-model", path: "new" },
	{ type: "text-start" },
	{ type: "text-delta", text: "hi" },
	{ type: "text-end" },
	{ type: "turn-end", reason: "stop" },
];

describe("messagesDialect", () => {
	let ids = 0;
	const context: DialectContext = {
		newId: () => `id${++ids}`,
		now: () => 0,
		requestId: "req_id2",
		header: () => undefined,
		stored: { load: async () => undefined, keep() {} },
		sealer: () => ({ seal: (text) => text, open: (text) => text }),
	};
	const body = { model: "claude", max_tokens: 5, stream: true, messages: [{ role: "user", content: "hi" }] };
	const made = messagesDialect.read(body, context);

	it("reads a request", async () => {
		const read = await made;
		expect(read).toMatchObject({ dialect: "messages", stream: true, choices: 1, turn: { model: "claude" } });
	});

	it("answers with one id and the model that answered, streamed or not", async () => {
		const read = await made;
		const collector = new TurnCollector();
		for (const event of EVENTS) collector.add(event);
		expect(read.encoder(0).encode(EVENTS)).toContain(
			'"message":{"id":"msg_id1","type":"message","role":"assistant","model":"upstream-model"',
		);
		expect(read.whole([collector.turn])).toMatchObject({
			id: "msg_id1",
			model: "upstream-model",
			stop_reason: "end_turn",
		});
	});

	it("names the request in its errors, streamed or not", async () => {
		const read = await made;
		const error = new GatewayError("overloaded");
		expect(read.error(error)).toMatchObject({ status: 503, body: { type: "error", request_id: "req_id2" } });
		expect(read.encoder(0).encodeError(error)).toContain('"request_id":"req_id2"');
	});

	it("refuses what is no request", () => {
		expect(() => messagesDialect.read({ model: "claude" }, context)).toThrow(
			"messages is required and must be an array.",
		);
	});
});
