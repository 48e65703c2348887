// L3 and A14: more than there is room for is refused at once, and who takes too much takes it from nobody else.
import { describe, expect, it } from "vitest";
import { expectRefusal, say, useBench } from "../hostile/bench.ts";
import { LOOK } from "../hostile/brain.ts";
import type { RawClient, RawResponse } from "../hostile/raw-client.ts";
import { until } from "../kit/cleanup.ts";

const bench = useBench();
/** Cursor's own keys, each a caller. */
const callers = Array.from({ length: 6 }, (_, at) => bench.as(`key_caller${at}`));

/** Sends requests that never end, each on a connection of its own. */
async function hang(caller: typeof bench, count: number) {
	const answers: RawResponse[] = [];
	const clients: RawClient[] = [];
	for (let at = 0; at < count; at++) {
		const client = await caller.open();
		clients.push(client);
		client.send(caller.chat(say("hang", { stream: at % 2 === 0 })));
		client.response().then(
			(answer) => answers.push(answer),
			() => {},
		);
	}
	return {
		answers,
		leave() {
			for (const client of clients) client.close();
		},
	};
}

const openStreams = () => bench.emulator.stats().streams.open;

describe("turns at once", () => {
	it("are 64 for one caller, and others are served meanwhile", async () => {
		const [greedy, modest] = callers as [typeof bench, typeof bench];
		const { answers, leave } = await hang(greedy, 70);
		await until(() => openStreams() === 64 && answers.length === 6);
		for (const answer of answers) {
			expect(expectRefusal(answer, 429).code).toBe("concurrency_limit");
			expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
		}
		await modest.expectService();
		expectRefusal(await greedy.ask(say("hello")), 429);
		leave();
		await until(() => openStreams() === 0);
		await greedy.expectService();
	});

	it("are 256 for all, and the rest is told to come back", async () => {
		const crowd = await Promise.all(callers.map((caller) => hang(caller, 50)));
		const answers = () => crowd.flatMap((each) => each.answers);
		await until(() => openStreams() === 256 && answers().length === 44);
		for (const answer of answers()) {
			expect(expectRefusal(answer, 503).code).toBe("overloaded");
			expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
		}
		expectRefusal(await bench.ask(say("hello")), 503);
		// What costs nothing upstream is answered all the same.
		expect((await bench.answerTo(bench.head("GET", "/healthz"))).status).toBe(200);
		for (const { leave } of crowd) leave();
		await until(() => openStreams() === 0);
		expect(bench.emulator.stats().streams.peak).toBe(256);
		for (const caller of callers) await caller.expectService();
	});
});

describe("runs that wait for tools", () => {
	it("are 32 for one caller, the oldest of which makes room, and others keep theirs", async () => {
		const [greedy, modest] = callers as [typeof bench, typeof bench];
		const park = async (caller: typeof bench, at: number) => {
			const request = say(`look at ${at}`, { tools: [LOOK] });
			const { body } = await caller.ask(request);
			const { message } = JSON.parse(body).choices[0];
			const [{ id }] = message.tool_calls;
			const messages = [...request.messages, message, { role: "tool", tool_call_id: id, content: `tree ${at}` }];
			return () => caller.ask({ ...request, messages });
		};
		const goOn = await park(modest, 0);
		const greedyRuns = [];
		for (let at = 0; at < 40; at++) greedyRuns.push(await park(greedy, at));
		expect(bench.gateway.parkedRuns()).toBe(33);
		await until(() => openStreams() === 33);

		const answer = await goOn();
		expect(answer.headers["x-cursorwire-path"]).toBe("parked");
		expect(answer.body).toContain("saw tree 0");
		// What was given up is rebuilt from what the client sends.
		const [first, last] = [await greedyRuns[0]!(), await greedyRuns[39]!()];
		expect(first.headers["x-cursorwire-path"]).toBe("rebuild");
		expect(first.body).toContain("saw tree 0");
		expect(last.headers["x-cursorwire-path"]).toBe("parked");
		expect(last.body).toContain("saw tree 39");
	});
});
