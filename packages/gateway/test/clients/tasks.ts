// The work that every client has to get done, on files that are looked at afterwards.
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Brain, CallResult, Emulator } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../kit/program.ts";
import type { Talker } from "./client.ts";
import { CHANNELS, startRig } from "./rig.ts";
import { workTools } from "./work-tools.ts";

/** A word that is in one place only, so whoever knows it has been there. */
const secretWord = () => `word-${randomBytes(6).toString("hex")}`;

const USAGE_LIMIT = {
	code: "resource_exhausted",
	message: "Error",
	details: {
		error: "ERROR_PRO_USER_USAGE_LIMIT",
		title: "You have hit your usage limit.",
		detail: "It resets on the first of the month.",
		isRetryable: false,
	},
} as const;

export function describeTasks(talker: Talker): void {
	describe.each(CHANNELS)("at work, upstream over %s", (_, http1) => {
		const start = async (brain: Brain) => {
			const folder = temporaryFolder();
			const { emulator, setup } = await startRig({ brain }, { http1 });
			return {
				emulator,
				conversation: talker.open(setup, workTools(folder), true),
				put: (name: string, content: string) => writeFileSync(join(folder, name), content),
				content: (name: string) => readFileSync(join(folder, name), "utf8"),
			};
		};

		it("reads a file and reports its content", async () => {
			const word = secretWord();
			const { emulator, conversation, put } = await start(readNote);
			put("note.txt", word);
			expect((await conversation.say("What is in note.txt?")).text).toBe(`The note says ${word}.`);
			expectRuns(emulator, 1);
		});

		it("writes a file", async () => {
			const text = "größer\n日本語 🚀\n";
			const { emulator, conversation, content } = await start(async function* () {
				const [result]: CallResult[] = yield {
					calls: [{ name: "write_file", arguments: { path: "made.txt", content: text } }],
				};
				yield { text: result!.text };
			});
			expect((await conversation.say("Write made.txt for me.")).text).toBe("Wrote made.txt.");
			expect(content("made.txt")).toBe(text);
			expectRuns(emulator, 1);
		});

		it("runs a command", async () => {
			const word = secretWord();
			const { emulator, conversation, put, content } = await start(async function* () {
				const command = "tr a-z A-Z < in.txt > out.txt; cat in.txt";
				const [result]: CallResult[] = yield { calls: [{ name: "run_command", arguments: { command } }] };
				yield { text: `It printed ${result!.text}.` };
			});
			put("in.txt", word);
			expect((await conversation.say("Copy in.txt in capitals.")).text).toBe(`It printed ${word}.`);
			expect(content("out.txt")).toBe(word.toUpperCase());
			expectRuns(emulator, 1);
		});

		it("uses two tools at once", async () => {
			const [first, second] = [secretWord(), secretWord()];
			const { emulator, conversation, put } = await start(async function* () {
				const [read, ran]: CallResult[] = yield {
					calls: [
						{ name: "read_file", arguments: { path: "one.txt" } },
						{ name: "run_command", arguments: { command: "cat two.txt" } },
					],
				};
				yield { text: `One is ${read!.text}, two is ${ran!.text}.` };
			});
			put("one.txt", first);
			put("two.txt", second);
			const { text } = await conversation.say("Look at both files.");
			expect(text).toBe(`One is ${first}, two is ${second}.`);
			expectRuns(emulator, 1);
			expect(emulator.stats().runs.resumedByToolResult).toBe(2);
		});

		it("takes a second turn that depends on the first", async () => {
			const word = secretWord();
			const { emulator, conversation, put } = await start(async function* (turn) {
				if (turn.prompt !== "Which word was it?") return yield* readNote(turn);
				const answers = turn.messages.flatMap(({ role, content }) =>
					role === "assistant" ? content.flatMap((part) => (part.type === "text" ? [part.text] : [])) : [],
				);
				yield { text: `You were told: ${answers.join("")}` };
			});
			put("note.txt", word);
			await conversation.say("What is in note.txt?");
			const { text } = await conversation.say("Which word was it?");
			expect(text).toBe(`You were told: The note says ${word}.`);
			expectRuns(emulator, 2);
		});

		it("shows an upstream error", async () => {
			const { emulator, conversation } = await start(async function* () {
				yield { error: USAGE_LIMIT };
			});
			const error = await conversation.say("Try it.").then(
				({ text }) => expect.unreachable(`took ${text} for an answer`),
				(thrown) => talker.errorOf(thrown),
			);
			expect(error.status).toBe(402);
			expect(error.message).toContain(USAGE_LIMIT.details.detail);
			expect(emulator.stats().runs.started).toBe(1);
		});
	});
}

const readNote: Brain = async function* () {
	const [result]: CallResult[] = yield { calls: [{ name: "read_file", arguments: { path: "note.txt" } }] };
	yield { text: `The note says ${result!.text}.` };
};

/** One run a turn, whatever number of tools it took. */
function expectRuns(emulator: Emulator, turns: number): void {
	const { runs, streams } = emulator.stats();
	expect(runs).toMatchObject({ started: turns, failed: 0, resumed: 0 });
	expect(streams.open).toBe(0);
}
