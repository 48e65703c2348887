// A tool that takes free text, which Responses has: on the wire to Cursor its text is one argument.
import { describe, expect, it } from "vitest";
import { type Dialect, responses } from "./dialects.ts";
import { expectPromptsAsSent } from "./expect-prompts.ts";
import { startPromptRig } from "./rig.ts";
import { WAYS } from "./ways.ts";

const PATCH = "*** Begin Patch\n*** Add File: a.txt\n+hello\n*** End Patch";

const withFreeform: Dialect = {
	...responses,
	body: () => ({
		model: "composer-1",
		store: false,
		tools: [{ type: "custom", name: "apply_patch", description: "Changes files." }],
		input: [
			{ role: "user", content: "Make a file." },
			{ type: "custom_tool_call", call_id: "call_1", name: "apply_patch", input: PATCH },
			{ type: "custom_tool_call_output", call_id: "call_1", output: "Done." },
			{ role: "assistant", content: [{ type: "output_text", text: "It is made." }] },
			{ role: "user", content: "What did you write?" },
		],
	}),
};

describe.each(WAYS.filter(({ hasTools }) => hasTools))("$name", (way) => {
	it("a call with free text is in the history once, with its text", async () => {
		const { ask, emulator, exchanges } = await startPromptRig(way, async function* () {
			yield { text: "hello" };
		});
		await ask(withFreeform, { system: [], said: [] });
		const [prompt] = expectPromptsAsSent(emulator, exchanges);
		const calls = prompt!.history.flatMap(({ parts }) => parts.filter(({ type }) => type === "tool-call"));
		expect(calls).toMatchObject([{ toolName: "apply_patch", args: { input: PATCH } }]);
	});
});
