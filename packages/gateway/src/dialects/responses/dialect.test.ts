import { describe, expect, it } from "vitest";
import { type CollectedTurn, TurnCollector } from "../../turn/collect.ts";
import type { TurnEvent } from "../../turn/event.ts";
import { responsesCall } from "./dialect.ts";
import { resolverOf } from "./earlier.ts";
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

async function call(fields: object, earlier: StoredResponse[] = []) {
	const kept: StoredResponse[] = [];
	const made = await responsesCall(
		{ model: "m", input: "hi", ...fields },
		{
			newId: () => `id${earlier.length}`,
			now: () => 5_500,
			resolve: resolverOf(earlier),
			keep: (one) => kept.push(one),
		},
	);
	return { made, kept };
}

describe("responsesCall", () => {
	it("answers whole or in a stream, and keeps the same record of both", async () => {
		const { made: whole, kept: first } = await call({});
		const { made: stream, kept: second } = await call({ stream: true });
		expect([whole.stream, stream.stream, whole.choices]).toEqual([false, true, 1]);
		expect(whole.whole([collected()])).toMatchObject({ id: "resp_id0", created_at: 5, completed_at: 5 });
		expect(stream.encoder(0).encode(EVENTS)).toContain("event: response.completed");
		expect(first).toHaveLength(1);
		expect(second).toEqual(first);
	});

	it("keeps nothing when the client wants nothing kept", async () => {
		const { made, kept } = await call({ store: false });
		made.whole([collected()]);
		made.encoder(0).encode(EVENTS);
		expect(kept).toEqual([]);
	});

	it("goes on from a record with the whole conversation", async () => {
		const { made: first, kept } = await call({});
		first.whole([collected()]);
		const { made: second, kept: keptNext } = await call({ input: "more", previous_response_id: "resp_id0" }, kept);
		expect(second.turn.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
		second.whole([collected()]);
		expect(keptNext[0]?.input.map(({ id }) => id)).toEqual(["msg_id0_in0", "msg_id0_0", "msg_id1_in2"]);
		await expect(call({ previous_response_id: "resp_id9" }, kept)).rejects.toThrow(
			expect.objectContaining({ kind: "not-found", param: "previous_response_id" }),
		);
	});
});
