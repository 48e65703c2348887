// A hard limit in the middle of a tool loop: the agent has to stop, say why, and go on once the limit is raised.
import type { CallResult } from "cursorwire-emulator";
import { expect, test, vi } from "vitest";
import { withBook } from "../../guard/books.ts";
import type { Setup } from "./agent.ts";
import { openRig } from "./rig.ts";

const PROMPT = "Read note.txt five times";
const ALLOWED = 3;
const READS = 5;
/** Requests after the first refusal. */
const MOST_FURTHER = 2;

export function testSpendLimit(setup: Setup, program: () => string[]): void {
	test("stops at a limit within a tool loop, says why, and goes on when it is raised", async () => {
		const rig = await openRig({
			...{ program: program(), setup, settings: { http1: false }, spend: `${ALLOWED} turns per conversation` },
			scripts: {
				[PROMPT]: ({ path }) =>
					async function* () {
						for (let read = 0; read < READS; read++) {
							const [result]: CallResult[] = yield { calls: [setup.tools.read(path("note.txt"))] };
							if (result!.isError) yield { text: `It failed: ${result!.text}` };
						}
						yield { text: "I read it five times." };
					},
				"Go on": () =>
					async function* () {
						yield { text: "I have gone on." };
					},
			},
		});
		rig.put("note.txt", "a note\n");
		const { code, output } = await rig.start(`${PROMPT}, one after the other.`);
		expect(output).toContain(`The limit of ${ALLOWED} turns per conversation is reached`);
		expect(output).not.toContain("I read it five times.");
		const refused = rig.answers.filter(({ errorKind }) => errorKind === "limit-reached");
		console.log(`${setup.api}: ${refused.length} refused requests, exit code ${code}`);
		expect(refused.length).toBeGreaterThan(0);
		expect(refused.length).toBeLessThanOrEqual(1 + MOST_FURTHER);
		await vi.waitFor(() => expect(rig.emulator.stats().runs.cancelled).toHaveLength(1), { timeout: 60_000 });
		expect(rig.emulator.stats().streams.open).toBe(0);

		const { dataDir } = rig;
		await withBook({ dataDir }, async (book) => {
			const [limit] = await book.list();
			await book.change(limit!.id, { amount: 30 });
		});
		await vi.waitFor(async () => expect(await rig.limitAmounts()).toEqual([30]), { timeout: 60_000 });
		const before = rig.answers.length;
		const next = await rig.resume("Go on with it.");
		expect(next.output).toContain("I have gone on.");
		const paths = rig.answers.slice(before).map(({ path }) => path);
		expect(paths).toContain(setup.forgetsFailures ? "new" : "rebuild");
		expect(rig.answers.slice(before).every(({ status }) => status === 200)).toBe(true);
	});
}
