// What the model reads of requests that are written by hand, in every API and on every way to Cursor.
import type { Brain } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { chat, chatDeveloper, messages, type Picture, responses, type Said, type Talk } from "./dialects.ts";
import { expectPromptsAsSent, newestTexts } from "./expect-prompts.ts";
import { BLUE, RED } from "./pictures.ts";
import { startPromptRig } from "./rig.ts";
import { WAYS } from "./ways.ts";

const LOOK = {
	name: "look",
	description: "Looks at something.",
	schema: { type: "object", properties: { at: { type: "string" } }, required: ["at"] },
};
const WAIT = {
	name: "todo_write",
	description: "Has a name that Cursor knows.",
	schema: { type: "object", properties: {} },
};

const SYSTEM = ["You are the first half of a system prompt.", "And you are its other half."];
const user = (...parts: (string | Picture)[]): Said => ({ role: "user", parts });
const system = (...parts: string[]): Said => ({ role: "system", parts });
const assistant = (...parts: string[]): Said => ({ role: "assistant", parts });

const answers: Brain = async function* () {
	yield { text: "An answer of the model." };
};

/** Calls a tool twice at once, then answers. */
const calls: Brain = async function* ({ messages: said }) {
	if (said.some(({ role }) => role === "tool")) return yield* answers({} as never);
	yield { text: "Let me look at both." };
	yield { calls: ["here", "there"].map((at) => ({ name: "look", arguments: { at } })) };
	yield { text: "An answer of the model." };
};

const DIALECTS = [chat, chatDeveloper, responses, messages];

describe.each(WAYS)("$name", (way) => {
	describe.each(DIALECTS)("$name", (dialect) => {
		const open = async (brain: Brain = answers) => {
			const rig = await startPromptRig(way, brain);
			return { ...rig, ask: (talk: Talk) => rig.ask(dialect, talk) };
		};

		it("parts of a message are there once, and apart", async () => {
			const { ask, emulator, exchanges } = await open();
			await ask({ system: SYSTEM, said: [user("First this.", "Then that.", RED, "And this at the end.")] });
			expectPromptsAsSent(emulator, exchanges);
		});

		it("a system message behind the question is a reminder, and the question stays the question", async () => {
			const { ask, emulator, exchanges } = await open();
			const reminders = ["# Environment\nYou are on Linux.", "<system-reminder>\nBe brief.\n</system-reminder>"];
			const talk = { system: SYSTEM, said: [user("Say hello"), system(reminders[0]!), system(reminders[1]!)] };
			await ask(talk);
			const [prompt] = expectPromptsAsSent(emulator, exchanges);
			const newest = newestTexts(prompt!).join("\n");
			expect(newest).toMatch(/^Say hello\n/);
			expect(newest).toContain(`<system-reminder>\n${reminders[0]}\n</system-reminder>`);
			expect(newest.match(/<system-reminder>/g)).toHaveLength(2);
			expect(prompt!.history).toEqual([]);
		});

		it("a history is there once and in order, reminders in their places", async () => {
			const { ask, emulator, exchanges } = await open();
			const said = [
				user("What is the capital", "of Norway?"),
				system("The user likes short answers."),
				assistant("It is Oslo,", "as far as I know."),
				user("And now", BLUE),
				assistant("A blue picture."),
				user("Thank you.", "Go on please."),
				assistant("With pleasure."),
				user("Thank you.", "Go on please."),
			];
			await ask({ system: SYSTEM, said });
			expectPromptsAsSent(emulator, exchanges);
		});

		it("a second turn has the first behind it", async () => {
			const { ask, emulator, exchanges } = await open();
			const first = [user("Remember", "the word."), system("It is Tuesday.")];
			const { answer } = await ask({ system: SYSTEM, said: first });
			const second = [...first, answer, user("Which word", "was it?"), system("It is Wednesday.")];
			const { path } = await ask({ system: SYSTEM, said: second });
			expectPromptsAsSent(emulator, exchanges);
			expect(path).toBe(way.hasCheckpoints ? "checkpoint" : "rebuild");
		});

		it.runIf(way.hasTools)("tools are there once, and results go into the prompt that asked for them", async () => {
			const { ask, emulator, exchanges } = await open(calls);
			const tools = [LOOK, WAIT];
			const asked = [user("Look at", "both.")];
			const { answer } = await ask({ system: SYSTEM, said: asked, tools });
			const [here, there] = answer.calls!;
			const results: Said[] = [
				{ role: "tool", id: here!.id, parts: ["There is", "a tree."] },
				{ role: "tool", id: there!.id, parts: ["There is", "a house.", ...(way.hasResultImages ? [RED] : [])] },
			];
			const going = [...asked, answer, ...results, system("Keep looking."), system("Look well.")];
			const { answer: seen, path } = await ask({ system: SYSTEM, said: going, tools });
			expect(path).toBe("parked");
			expectPromptsAsSent(emulator, exchanges);
			emulator.clearPrompts();
			await ask({ system: SYSTEM, said: [...going, seen, user("And", "now?")], tools: [LOOK] });
			expectPromptsAsSent(emulator, exchanges);
		});

		it.runIf(way.hasTools)("a history with results that nobody waits for is there once", async () => {
			const { ask, emulator, exchanges } = await open();
			const said: Said[] = [
				user("Look at", "it."),
				{ role: "assistant", parts: ["I will", "look."], calls: [{ id: "call_1", name: "look", args: { at: "it" } }] },
				{ role: "tool", id: "call_1", parts: ["It is", "a tree.", BLUE] },
			];
			await ask({ system: SYSTEM, said, tools: [LOOK] });
			await ask({ system: SYSTEM, said: [...said, user("And", "now?")], tools: [LOOK] });
			expectPromptsAsSent(emulator, exchanges);
		});
	});
});
