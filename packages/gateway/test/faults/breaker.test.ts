// The breaker in the whole product: what it stops, what it leaves alone, and how it lets go.
import { describe, expect, it } from "vitest";
import { until } from "../kit/cleanup.ts";
import { startFailing } from "./failing-upstream.ts";

/** Nothing ends by itself while a test looks at it. */
const LONG = { firstPauseMs: 60_000 };
const SHORT = { firstPauseMs: 50, longestPauseMs: 100 };
const look = { type: "function", function: { name: "look", parameters: { type: "object", properties: {} } } };

describe("an upstream that fails", () => {
	it("U25: half of all turns: the breaker opens, tries again, and there is no storm of retries", async () => {
		const rig = await startFailing({ emulator: { brain: "echo", faults: ["reset@headers%50"] }, health: SHORT });
		const requests = 120;
		let next = 0;
		const statuses: number[] = [];
		const client = async () => {
			while (next++ < requests) {
				const answer = await rig.ask();
				await answer.text();
				statuses.push(answer.status);
			}
		};
		await Promise.all([client(), client(), client()]);
		expect(statuses).toHaveLength(requests);
		expect(rig.runs()).toBeLessThanOrEqual(1.2 * requests);
		expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0);
		expect(rig.states).toEqual(expect.arrayContaining(["open", "half-open", "closed"]));
		rig.emulator.clearFaults();
		await until(async () => (await rig.ask()).status === 200);
	});

	it("is not asked while the breaker is open: the refusal is quick, says why, and when to come back", async () => {
		const rig = await startFailing({ emulator: { brain: "echo", faults: ["status=503@headers"] }, health: LONG });
		await rig.untilOpen();
		const before = structuredClone(rig.emulator.stats());
		for (const stream of [true, false]) {
			const answer = await rig.ask({ stream });
			expect(answer.status).toBe(503);
			expect(answer.headers.get("x-should-retry")).toBe("true");
			expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(50);
			const { error } = (await answer.json()) as { error: { message: string; code: string } };
			expect(error.code).toBe("upstream_unavailable");
			expect(error.message).toMatch(/^Cursor keeps failing.*The last failure: .*HTTP 503.*Try again in \d+ s/);
		}
		const { rpcs, connections } = rig.emulator.stats();
		expect({ rpcs, connections }).toEqual({ rpcs: before.rpcs, connections: before.connections });
	});

	it("again after a pause is told as final, in each dialect: no client comes back by itself", async () => {
		const rig = await startFailing({
			emulator: { brain: "echo", faults: ["reset@headers"] },
			health: { ...SHORT, longestPauseMs: 60_000 },
		});
		await rig.untilOpen();
		const asked = () =>
			Promise.all([
				rig.ask(),
				rig.post("/v1/responses", { model: "composer-1", input: "hello" }),
				rig.post("/v1/messages", {
					...{ model: "composer-1", max_tokens: 9 },
					messages: [{ role: "user", content: "hello" }],
				}),
			]);
		let final = await asked();
		await until(async () => {
			if (final.every(({ status }) => status === 424)) return true;
			final = await asked();
			return false;
		});
		for (const answer of final) {
			expect(answer.headers.get("x-should-retry")).toBe("false");
			// Codex would wait for it, and come back.
			expect(answer.headers.get("retry-after")).toBeNull();
			const { error } = (await answer.json()) as { error: { message: string; type: string } };
			expect(error).toMatchObject({
				type: "api_error",
				message: expect.stringMatching(/was reset with INTERNAL_ERROR/),
			});
		}
	});

	it("is tried again with one request, however many there are, and all pass when that is answered", async () => {
		let answerProbe: () => void = () => {};
		const probeMayEnd = new Promise<void>((resolve) => {
			answerProbe = resolve;
		});
		const rig = await startFailing({
			emulator: {
				faults: ["status=503@headers*6"],
				async *brain() {
					await probeMayEnd;
					yield { text: "well" };
				},
				heartbeatMs: 60_000,
			},
			health: { ...SHORT, longestPauseMs: 60_000 },
		});
		await rig.untilOpen();
		rig.emulator.clearFaults();
		// Its headers and heartbeats are held back: until the first message the probe is under way.
		rig.emulator.addFault("delay=500@frame:1*1");
		await new Promise((resolve) => setTimeout(resolve, 100));
		const before = rig.runs();
		const asked = Array.from({ length: 10 }, () => rig.ask());
		await until(() => rig.runs() > before);
		const refused = (await Promise.all(asked.slice(1))).map(({ status }) => status);
		expect(refused).toEqual(refused.map(() => 503));
		expect(rig.runs()).toBe(before + 1);
		answerProbe();
		expect((await asked[0]!).status).toBe(200);
		expect(rig.states).toEqual(["open", "half-open", "closed"]);
		const answers = await Promise.all(Array.from({ length: 5 }, () => rig.ask()));
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
	});
});

describe("an open breaker", () => {
	it("does not touch runs that wait for a tool, nor streams under way", async () => {
		let finish: () => void = () => {};
		const mayFinish = new Promise<void>((resolve) => {
			finish = resolve;
		});
		const rig = await startFailing({
			emulator: {
				async *brain(turn) {
					if (turn.prompt === "park") {
						const [found] = yield { calls: [{ name: "look" }] };
						yield { text: `found ${found.text}` };
					} else if (turn.prompt === "slow") {
						yield { text: "begun, " };
						await mayFinish;
						yield { text: "done" };
					} else yield { text: "hello" };
				},
			},
			health: LONG,
		});
		const messages = [{ role: "user", content: "park" }];
		const parked = (await (await rig.ask({ messages, tools: [look] })).json()) as {
			choices: { message: { tool_calls: { id: string }[] } }[];
		};
		const slow = await rig.ask({ messages: [{ role: "user", content: "slow" }], stream: true });
		rig.emulator.addFault("reset@headers");
		await rig.untilOpen();
		const { message } = parked.choices[0]!;
		const result = { role: "tool", tool_call_id: message.tool_calls[0]!.id, content: "it" };
		const answered = await rig.ask({ messages: [...messages, message, result], tools: [look] });
		expect(answered.headers.get("x-cursorwire-path")).toBe("parked");
		expect(await answered.text()).toContain("found it");
		finish();
		expect(await slow.text()).toMatch(/begun, [\s\S]*done[\s\S]*\[DONE\]/);
		expect((await rig.ask()).status).toBe(503);
	});
});

describe("the breaker stays closed", () => {
	it("when clients leave, however many", async () => {
		const rig = await startFailing({
			emulator: {
				async *brain(turn) {
					if (turn.prompt === "hang") yield { hang: "heartbeats" as const };
					yield { text: "well" };
				},
			},
			health: LONG,
		});
		for (let count = 1; count <= 8; count++) {
			const leave = new AbortController();
			const asked = rig
				.ask({ messages: [{ role: "user", content: "hang" }] }, { signal: leave.signal })
				.catch(() => "left");
			await until(() => rig.runs() === count);
			leave.abort();
			expect(await asked).toBe("left");
		}
		expect((await rig.ask()).status).toBe(200);
		expect(rig.states).toEqual([]);
	});

	it.each([
		["a used-up quota", "error=ERROR_PRO_USER_USAGE_LIMIT@frame:1", 402],
		["a rate limit", "status=429@headers", 429],
		["a request that Cursor refuses", "error=invalid_argument@frame:1", 400],
	])("for %s", async (_what, fault, status) => {
		const rig = await startFailing({ emulator: { brain: "echo", faults: [fault] }, health: LONG });
		for (let count = 0; count < 8; count++) expect((await rig.ask()).status).toBe(status);
		rig.emulator.clearFaults();
		expect((await rig.ask()).status).toBe(200);
		expect(rig.states).toEqual([]);
	});

	it("when one connection is lost with everything on it", async () => {
		const rig = await startFailing({ emulator: { brain: "echo" }, health: LONG });
		for (let count = 0; count < 25; count++) expect((await rig.ask()).status).toBe(200);
		rig.emulator.addFault("cut@headers*1");
		const answers = await Promise.all(Array.from({ length: 10 }, () => rig.ask()));
		// As many as the budget allows are repeated without a word; the others are told, and may come back at once.
		expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(5);
		for (const { status, headers } of answers) {
			if (status !== 200) expect([status, headers.get("x-should-retry")]).toEqual([502, "true"]);
		}
		expect((await rig.ask()).status).toBe(200);
		expect(rig.states).toEqual([]);
	});
});
