// What the model reads of what the client libraries send, on every way to Cursor.
import type { Brain } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import type { TestTool } from "../clients/client.ts";
import { expectPromptsAsSent, newestTexts } from "./expect-prompts.ts";
import { RED } from "./pictures.ts";
import { startPromptRig } from "./rig.ts";
import { AGENTS } from "./sdks/agents.ts";
import { AI_SDK } from "./sdks/ai-sdk.ts";
import { ANTHROPIC } from "./sdks/anthropic.ts";
import { LANGCHAIN } from "./sdks/langchain.ts";
import { OPENAI } from "./sdks/openai.ts";
import { WAYS } from "./ways.ts";

const SPEAKERS = [...OPENAI, ...ANTHROPIC, ...AI_SDK, ...LANGCHAIN, ...AGENTS];
const SYSTEM = "You look at pictures and tell what is in them.";

const LOOK: TestTool = {
	name: "look",
	description: "Looks at something.",
	parameters: { type: "object", properties: { at: { type: "string" } }, required: ["at"] },
	run: async ({ at }: { at: string }) => `There is a tree at the ${at}.`,
};

/** Looks where it can, once a question. */
const brain: Brain = async function* ({ tools }) {
	yield { text: "Let me see." };
	if (tools.length > 0) yield { calls: [{ name: "look", arguments: { at: "house" } }] };
	yield { text: "A tree." };
};

describe.each(WAYS)("$name", (way) => {
	it.each(SPEAKERS)("$name: every turn is read once, as it was said", async ({ speak }) => {
		const { emulator, exchanges, setup } = await startPromptRig(way, brain);
		await speak(setup, {
			system: SYSTEM,
			turns: [
				["What is it", "that you see here?", RED],
				["And what", "is next to it?"],
			],
			tools: way.hasTools ? [LOOK] : [],
		});
		const prompts = expectPromptsAsSent(emulator, exchanges);
		expect(
			prompts.map(
				(prompt) =>
					newestTexts(prompt)
						.join("\n")
						.match(/^.*(see here|next to it)\?/m)?.[0],
			),
		).toEqual(["that you see here?", "is next to it?"]);
	});
});
