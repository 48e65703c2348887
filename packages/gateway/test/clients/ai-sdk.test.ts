import { describe, expect, it } from "vitest";
import { aiSdkAnthropic, aiSdkCompatible, aiSdkOpenai } from "./ai-sdk.ts";
import { startRig } from "./rig.ts";
import { describeClient } from "./suite.ts";

describeClient("AI SDK, @ai-sdk/openai-compatible", aiSdkCompatible);
describeClient("AI SDK, @ai-sdk/openai", aiSdkOpenai);
describeClient("AI SDK, @ai-sdk/anthropic", aiSdkAnthropic);

describe("AI SDK, @ai-sdk/openai", () => {
	it("names what was said by ids that are found again", async () => {
		const { setup, bodies } = await startRig({
			async *brain({ messages }) {
				const said = messages.flatMap(({ role, content }) =>
					role === "assistant" ? content.flatMap((part) => (part.type === "text" ? [part.text] : [])) : [],
				);
				yield { text: said.length === 0 ? "the first" : `after ${said.join()}` };
			},
		});
		const conversation = aiSdkOpenai.open(setup, [], true);
		expect((await conversation.say("one")).text).toBe("the first");
		expect((await conversation.say("two")).text).toBe("after the first");
		const [first, second] = bodies;
		expect(first).not.toHaveProperty("store");
		expect(second!.input).toContainEqual({ type: "item_reference", id: expect.stringMatching(/^msg_/) });
	});
});
