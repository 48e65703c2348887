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
			sealer: () => ({ seal: (text) => `sealed ${text}`, open: (sealed) => sealed.split("sealed ")[1] }),
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

	const compaction = { type: "compaction", id: "cmp_id0_0", encrypted_content: "sealed hello" };

	it("gives exactly one sealed summary to who asks for a compaction, streamed or whole, and keeps what the user said", async () => {
		const input = [
			{ role: "user", content: "the word is blue" },
			{ role: "assistant", content: "noted" },
			{ type: "compaction_trigger" },
		];
		const { made, kept } = await read({ input, stream: true, tools: [{ type: "function", name: "look" }] });
		expect(made.turn.tools).toEqual([]);
		expect(made.turn.messages.at(-1)).toMatchObject({
			...{ role: "user", content: [{ text: expect.stringContaining("summary") }] },
		});
		const encoder = made.encoder(0);
		const said = EVENTS.map((event) => encoder.encode([event])).join("");
		const events = [...said.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json!));
		const done = events.filter(({ type }) => type === "response.output_item.done");
		expect(done.map(({ item }) => item)).toEqual([compaction]);
		expect(events.at(-1)).toMatchObject({ type: "response.completed", response: { output: [compaction] } });
		expect(said).not.toContain("delta");
		expect(made.whole([collected()])).toMatchObject({ status: "completed", output: [compaction] });
		for (const { response, input } of kept) {
			expect(response.output).toEqual([compaction]);
			expect(input).toMatchObject([{ role: "user", content: [{ text: "the word is blue" }] }]);
		}
	});

	it("fails where there is no summary, so that no conversation is lost", async () => {
		const { made } = await read({ input: [{ role: "user", content: "hi" }, { type: "compaction_trigger" }] });
		const end: TurnEvent = { type: "turn-end", reason: "stop" };
		expect(() => made.encoder(0).encode([EVENTS[0]!, end])).toThrow("no summary");
		expect(() => made.encoder(0).encode([...EVENTS.slice(0, -1), { ...end, reason: "refusal" }])).toThrow("refused");
	});

	it.each([
		["before new messages", [{ role: "user", content: "go on" }]],
		["as the last item", []],
	])("shows the model a summary once, %s", async (_, after) => {
		const { made } = await read({ input: [{ role: "user", content: "first" }, compaction, ...after] });
		const texts = made.turn.messages.flatMap(({ content }) => content.map((part) => ("text" in part ? part.text : "")));
		expect(texts.join("|")).toMatch(/^first\|[^|]*<summary>\nhello\n<\/summary>(\|go on)?$/);
	});

	it("names the place of a compaction that cannot be read, and of a wish that is not the last item", async () => {
		const foreign = { type: "compaction", encrypted_content: "gAAAAA" };
		const place = { param: "input[1].encrypted_content", kind: "invalid-request" };
		await expect(read({ input: [{ role: "user", content: "x" }, foreign] })).rejects.toMatchObject(place);
		const early = [{ type: "compaction_trigger" }, { role: "user", content: "x" }];
		await expect(read({ input: early })).rejects.toMatchObject({ param: "input[0]" });
	});
});
