// A12: who knows the id of another caller's tool call knows nothing.
import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { LOOK } from "../kit/hostile/brain.ts";
import { say, useRig } from "../kit/hostile/rig.ts";

const rig = useRig({ settings: { acceptCursorCredentials: true } });
const ada = rig.as("key_ada");
const eve = rig.as("key_eve");
const REQUEST = say("look at the safe", { tools: [LOOK] });

async function park(caller: typeof rig): Promise<{ message: object; id: string }> {
	const { message } = JSON.parse((await caller.ask(REQUEST)).body).choices[0];
	return { message, id: message.tool_calls[0].id };
}

/** The conversation with a result, for the call of this id. */
function withResult(id: string, content: string) {
	const call = { id, type: "function", function: { name: "look", arguments: '{"at":"look at the safe"}' } };
	const messages = [
		...REQUEST.messages,
		{ role: "assistant", content: null, tool_calls: [call] },
		{ role: "tool", tool_call_id: id, content },
	];
	return { ...REQUEST, messages };
}

/** Everything about an answer but what is new in each. */
function formOf({ status, headers, body }: Awaited<ReturnType<typeof rig.ask>>) {
	const own = ["date", "content-length", "x-cursorwire-session", "x-request-id"];
	const rest = Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name)));
	const { id: _id, created: _created, ...answer } = JSON.parse(body);
	return { status, headers: rest, answer };
}

const unknownId = () => `call_${randomBytes(16).toString("hex")}`;

describe("A12: a tool call of another caller", () => {
	it("is like one that never was, and stays whose it is", async () => {
		const { id } = await park(ada);
		const parked = rig.gateway.parkedRuns();
		const stolen = await eve.ask(withResult(id, "nothing"));
		const unknown = await eve.ask(withResult(unknownId(), "nothing"));
		expect(formOf(stolen)).toEqual(formOf(unknown));
		expect(stolen.headers["x-cursorwire-path"]).toBe("rebuild");
		expect(rig.gateway.parkedRuns()).toBe(parked);

		const answer = await ada.ask(withResult(id, "gold"));
		expect(answer.headers["x-cursorwire-path"]).toBe("parked");
		expect(answer.body).toContain("saw gold");
	});

	it("that is answered is like one that never was as well", async () => {
		const { id } = await park(ada);
		await ada.ask(withResult(id, "gold"));
		const stolen = await eve.ask(withResult(id, "silver"));
		expect(formOf(stolen)).toEqual(formOf(await eve.ask(withResult(unknownId(), "silver"))));
		expect(stolen.status).toBe(200);
		// Nor is the owner's answer told to whoever sends the same result.
		const same = await eve.ask(withResult(id, "gold"));
		expect(same.headers["x-cursorwire-path"]).toBe("rebuild");
	});

	it("is not found by trying", async () => {
		await park(ada);
		const parked = rig.gateway.parkedRuns();
		for (let round = 0; round < 50; round++) {
			const { headers, status } = await eve.ask(withResult(unknownId(), "x"));
			expect({ status, path: headers["x-cursorwire-path"] }).toEqual({ status: 200, path: "rebuild" });
		}
		expect(rig.gateway.parkedRuns()).toBe(parked);
	});

	it("takes no other time than one that never was", async () => {
		const { id } = await park(ada);
		const times = { stolen: [] as number[], unknown: [] as number[] };
		const kinds = ["stolen", "unknown"] as const;
		for (let round = 0; round < 150; round++) {
			// In turns, the first one changing: what else the machine does meets both alike.
			for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
				const request = withResult(kind === "stolen" ? id : unknownId(), `${kind} ${round}`);
				const started = performance.now();
				await eve.ask(request);
				times[kind].push(performance.now() - started);
			}
		}
		// By chance alone it is further off once in a million runs.
		expect(Math.abs(rankDifference(times.stolen, times.unknown))).toBeLessThan(5);
	});

	it("is not shared by two keys of Cursor for one account", async () => {
		const { id } = await park(ada);
		expect((await rig.ask(withResult(id, "x"))).headers["x-cursorwire-path"]).toBe("rebuild");
	});
});

/** Mann and Whitney: by how many standard deviations the ranks of the first list are off those of the second. */
function rankDifference(first: number[], second: number[]): number {
	const all = [...first.map((time) => ({ time, isFirst: true })), ...second.map((time) => ({ time, isFirst: false }))];
	all.sort((one, other) => one.time - other.time);
	const ranks = all.reduce((sum, { isFirst }, at) => sum + (isFirst ? at + 1 : 0), 0);
	const [n, m] = [first.length, second.length];
	return (ranks - (n * (n + m + 1)) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12);
}

describe("A12: the id of a tool call", () => {
	it("is 128 bits, all of which vary", async () => {
		const ids: bigint[] = [];
		for (let round = 0; round < 40; round++) {
			const { id } = await park(ada);
			expect(id).toMatch(/^call_[0-9a-f]{32}$/);
			ids.push(BigInt(`0x${id.slice("call_".length)}`));
		}
		expect(new Set(ids).size).toBe(ids.length);
		// Each bit was set at times and clear at times. By chance that fails once in 2^32 runs.
		const anySet = ids.reduce((all, id) => all | id);
		const allSet = ids.reduce((all, id) => all & id);
		expect(anySet).toBe((1n << 128n) - 1n);
		expect(allSet).toBe(0n);
	});
});
