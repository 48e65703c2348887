// What the model reads of what an agent sends: that, once, and nothing else.
import { randomBytes } from "node:crypto";
import type { CallResult } from "cursorwire-emulator";
import { describe, expect, test, vi } from "vitest";
import { expectPromptsAsSent, newestTexts } from "../../prompts/expect-prompts.ts";
import { WAYS } from "../../prompts/ways.ts";
import type { Setup } from "./agent.ts";
import { openRig, type Rig } from "./rig.ts";

const FIRST = "Say hello, and tell me what is in note.txt";
const SECOND = "Say goodbye";

/** Agents always bring tools, which the legacy chat has not; prompts of an agent's run are looked at in its tasks. */
export function testUnifiedPrompts(way: string, setup: Setup, program: () => string[], isQuick: boolean): void {
	const ways = WAYS.filter(({ hasTools, hasCheckpoints }) => hasTools && !hasCheckpoints);
	// Quick: both channels carry the same messages; the libraries' tests have both.
	describe.each(isQuick ? ways.slice(-1) : ways)(`${way}, prompts of $name`, ({ settings }) => {
		test("are what the agent sent, once, and the question is the question", async () => {
			const rig = await openRig({
				...{ program: program(), setup, settings },
				scripts: {
					[FIRST]: ({ path }) =>
						async function* () {
							const [result]: CallResult[] = yield { calls: [setup.tools.read(path("note.txt"))] };
							yield { text: result!.isError ? `It failed: ${result!.text}` : "Hello. I have read it." };
						},
					[SECOND]: () =>
						async function* () {
							yield { text: "Goodbye." };
						},
				},
			});
			rig.put("note.txt", `word-${randomBytes(6).toString("hex")}\n`);
			expect(await rig.start(FIRST)).toMatchObject({ code: 0, output: expect.stringContaining("I have read it.") });
			expect(await rig.resume(SECOND)).toMatchObject({ code: 0, output: expect.stringContaining("Goodbye.") });
			await vi.waitFor(() => expect(rig.emulator.stats().streams.open).toBe(0), { timeout: 120_000 });
			expectPromptsOf(rig, [FIRST, SECOND]);
		});
	});
}

/** All of them are what the agent sent, and each question is the newest message of one. */
export function expectPromptsOf({ emulator, exchanges }: Rig, questions: readonly string[]): void {
	const prompts = expectPromptsAsSent(emulator, exchanges);
	const newest = prompts.filter(({ tools }) => tools.length > 0).map((prompt) => newestTexts(prompt).join("\n"));
	for (const question of questions) expect(newest.filter((text) => text.includes(question))).toHaveLength(1);
}
