// However the server behaves where nobody knows it: each prompt is what the client sent, once.
import type { Brain } from "cursorwire-emulator";
import { expect, it } from "vitest";
import { chat, type Said } from "./dialects.ts";
import { expectPromptsAsSent } from "./expect-prompts.ts";
import { startPromptRig } from "./rig.ts";
import { WAYS } from "./ways.ts";

const SWITCHES = [
	"checkpoint-users=placeholder",
	"request-context=ask",
	"request-context=never",
	"last-checkpoint=before-turn-ended",
	"last-checkpoint=after-turn-ended",
	"tool-call-order=started-only",
	"tool-requests-listed=absent",
];

const LOOK = { name: "look", description: "Looks at something.", schema: { type: "object", properties: {} } };
const SYSTEM = ["You look at things.", "You tell what they are."];
const user = (...parts: string[]): Said => ({ role: "user", parts });

const brain: Brain = async function* () {
	yield { thinking: "Hm." };
	yield { text: "Let me look." };
	yield { calls: [{ name: "look" }] };
	yield { text: "A tree." };
};

it.each(SWITCHES)("%s", async (setting) => {
	const { ask, emulator, exchanges } = await startPromptRig(WAYS[0]!, brain);
	emulator.set(setting);
	const talk = { system: SYSTEM, tools: [LOOK] };
	const said: Said[] = [];
	for (const question of ["What is it?", "And what is that?", "And now?"]) {
		said.push(user(question, "Tell me."));
		const { answer } = await ask(chat, { ...talk, said });
		said.push(answer, { role: "tool", id: answer.calls![0]!.id, parts: ["A plant", "with leaves."] });
		const { answer: seen, path } = await ask(chat, { ...talk, said });
		expect(path).toBe("parked");
		said.push(seen);
	}
	expect(expectPromptsAsSent(emulator, exchanges)).toHaveLength(3);
});
