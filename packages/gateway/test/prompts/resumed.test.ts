// A stream that broke behind a checkpoint is taken up again: what the model then reads is still everything, once.
import { expect, it } from "vitest";
import { chat } from "./dialects.ts";
import { startPromptRig } from "./rig.ts";
import { WAYS } from "./ways.ts";

it.each(WAYS.filter(({ hasCheckpoints }) => hasCheckpoints))(
	"$name: a run that goes on from a checkpoint",
	async (way) => {
		let runs = 0;
		const { ask, emulator } = await startPromptRig(way, async function* () {
			if (runs++ > 0) return yield { text: "and the other." };
			yield { text: "One half " };
			yield { checkpoint: true };
			yield { drop: true };
		});
		const tools = [{ name: "look", description: "Looks at something.", schema: { type: "object" } }];
		const said = [{ role: "user" as const, parts: ["Say something", "in two halves."] }];
		const { answer } = await ask(chat, { system: ["You are a system prompt."], said, tools });
		expect(answer.parts).toEqual(["One half and the other."]);
		const [, resumed] = emulator.prompts();
		expect(resumed).toMatchObject({
			system: [{ text: "You are a system prompt." }],
			tools: [{ name: "look" }],
			history: [
				{ role: "user", parts: [{ text: "Say something\n\nin two halves." }] },
				{ role: "assistant", parts: [{ text: "One half " }] },
			],
			newest: null,
			twice: [],
		});
	},
);
