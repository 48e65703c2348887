// Every status with which the spend guard refuses: how often an agent asks again, and what it tells its user.
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { CallResult } from "cursorwire-emulator";
import { expect, test } from "vitest";
import { STORE_FILE } from "../../../src/store/open-store.ts";
import { resultsSeen } from "../../kit/dialects/handmade-chat.ts";
import type { Setup } from "./agent.ts";
import { openRig, type Rig, type RigOptions } from "./rig.ts";

const PROMPT = "Read note.txt thrice";
const READS = 3;
const DONE = "I have read it thrice.";
/** Requests after the first refusal, where the client is told that nothing changes by itself. */
const MOST_FURTHER = 2;
/** An official library asks three times, and some agents ask their library again and again, with seconds in between. */
const MOST_OF_WAITING = 20;

export function testLimitStatuses(setup: Setup, program: () => string[]): void {
	const open = async (spend: string): Promise<Rig> => {
		const scripts: RigOptions["scripts"] = {
			[PROMPT]: ({ path }) =>
				async function* (turn) {
					// Behind a refused result the conversation goes on as a new run, with what was read before in its history.
					for (let read = resultsSeen(turn).length; read < READS; read++) {
						const [result]: CallResult[] = yield { calls: [setup.tools.read(path("note.txt"))] };
						if (result!.isError) yield { text: `It failed: ${result!.text}` };
					}
					yield { text: DONE };
				},
		};
		const rig = await openRig({ program: program(), setup, settings: { http1: false }, spend, scripts });
		rig.put("note.txt", "a note\n");
		return rig;
	};
	const refusals = (rig: Rig, kind: string) => {
		const count = rig.answers.filter(({ errorKind }) => errorKind === kind).length;
		console.log(`${setup.api}: ${count} of ${rig.answers.length} requests ended with ${kind}`);
		return count;
	};

	test("402 at its first request: it says why, and does not insist", async () => {
		const rig = await open("1 turn/day");
		await useUp(rig);
		const { output } = await rig.start(`${PROMPT}.`);
		expect(output).toContain("The limit of 1 turn/day is reached");
		expect(refusals(rig, "limit-reached")).toBeLessThanOrEqual(1 + MOST_FURTHER);
		expect(rig.model.main).toEqual([]);
	});

	// So many turns that an agent has to wait once, and for a minute at most.
	test("429 within a loop of tools: it waits and goes on, or says why it does not", async () => {
		const rig = await open("2 turns/minute");
		const { output } = await rig.start(`${PROMPT}.`);
		const count = refusals(rig, "limit-rate");
		expect(count).toBeGreaterThan(0);
		expect(count).toBeLessThanOrEqual(MOST_OF_WAITING);
		if (!output.includes(DONE)) expect(output).toContain("The limit of 2 turns/minute is reached");
	});

	test("503 because nobody can read the counters: the same", async () => {
		const rig = await open("20 turns/day");
		for (const end of ["", "-wal", "-shm"]) rmSync(join(rig.dataDir, `${STORE_FILE}${end}`), { force: true });
		const { output } = await rig.start(`${PROMPT}.`);
		const count = refusals(rig, "limit-unknown");
		expect(count).toBeGreaterThan(0);
		expect(count).toBeLessThanOrEqual(MOST_OF_WAITING);
		if (!output.includes(DONE)) expect(output).toContain("A hard limit lets nothing through then.");
	});
}

/** The turn that there is, by somebody else. */
async function useUp({ place, answers }: Rig): Promise<void> {
	const response = await fetch(`${place.url}/v1/chat/completions`, {
		method: "POST",
		headers: { authorization: `Bearer ${place.key}`, "content-type": "application/json" },
		body: JSON.stringify({ model: place.model, messages: [{ role: "user", content: "Say hello" }] }),
	});
	expect(response.status).toBe(200);
	answers.length = 0;
}
