import { describe, expect, it } from "vitest";
import { type CollectedTurn, TurnCollector } from "../../turn/collect.ts";
import type { TurnEvent } from "../../turn/event.ts";
import { responsesDialect } from "./dialect.ts";
import type { StoredResponse } from "./stored-response.ts";

const EVENTS: TurnEvent[] = [
	{ type: "turn-start", runId: "r", model: "m", path: "new" },
	{ type: "text-start" },
	{ type: "text-delta", text: "hello" },
	{ type: "text-end" },
	{ type: "turn-end", reason: "stop" },
];

function collected(): CollectedTurn {
	const collector = new TurnCollector();
	for (const event of EVENTS) collector.add(event);
	return collector.turn;
}

async function read(fields: object, earlier: StoredResponse[] = []) {
	const kept: StoredResponse[] = [];
	const made = await responsesDialect.read(
		{ model: "m", input: "hi", ...fields },
		{
			newId: () => `id${earlier.length}`,
			now: () => 5_500,
			requestId: "req_1",
			header: () => undefined,
			stored: {
				load: async (id) => earlier.find(({ response }) => response.id === id),
				keep: (_id, record) => kept.push(record as StoredResponse),
			},
		},
	);
	return { made, kept };
}

describe("responsesDialect", () => {
	it("answers whole or in a stream, and keeps the same record of both", async () => {
		const { made: whole, kept: first } = await read({});
		const { made: stream, kept: second } = await read({ stream: true });
		expect([whole.stream, stream.stream, whole.choices]).toEqual([false, true, 1]);
		expect(whole.whole([collected()])).toMatchObject({ id: "resp_id0", created_at: 5, completed_at: 5 });
		expect(stream.encoder(0).encode(EVENTS)).toContain("event: response.completed");
		expect(first).toHaveLength(1);
		expect(second).toEqual(first);
	});

	it("keeps nothing when the client wants nothing kept", async () => {
		const { made, kept } = await read({ store: false });
		made.whole([collected()]);
		made.encoder(0).encode(EVENTS);
		expect(kept).toEqual([]);
	});

	it("goes on from a record with the whole conversation", async () => {
		const { made: first, kept } = await read({});
		first.whole([collected()]);
		const { made: second, kept: keptNext } = await read({ input: "more", previous_response_id: "resp_id0" }, kept);
		expect(second.turn.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
		second.whole([collected()]);
		expect(keptNext[0]?.input.map(({ id }) => id)).toEqual(["msg_id0_in0", "msg_id0_0", "msg_id1_in2"]);
		await expect(read({ previous_response_id: "resp_id9" }, kept)).rejects.toThrow(
			expect.objectContaining({ kind: "previous-response-not-found", param: "previous_response_id" }),
		);
	});
});
