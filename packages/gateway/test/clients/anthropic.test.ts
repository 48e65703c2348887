import { describe, expect, it } from "vitest";
import { steps } from "../kit/dialects/handmade-chat.ts";
import { anthropic, anthropicToolRunner, connect } from "./anthropic.ts";
import { describeCuts } from "./cuts.ts";
import { startRig, stepTool } from "./rig.ts";
import { describeClient, describeTalker } from "./suite.ts";
import { itTakesFiftySteps } from "./tool-loops.ts";

describeClient("@anthropic-ai/sdk", anthropic);
describeTalker("@anthropic-ai/sdk, tool runner", anthropicToolRunner);

describe("@anthropic-ai/sdk", () => {
	itTakesFiftySteps(anthropic);
	describeCuts(anthropic, /message_stop|message_delta/);

	it("lists models, page by page", async () => {
		const { setup } = await startRig({ brain: "echo" });
		const { models } = connect(setup);
		const ids: string[] = [];
		for await (const model of models.list({ limit: 2 })) {
			expect(model).toMatchObject({ type: "model", display_name: expect.any(String) });
			ids.push(model.id);
		}
		expect(ids).toContain("composer-1");
		expect(new Set(ids).size).toBe(ids.length);
		expect(await models.retrieve("composer-1")).toMatchObject({ id: "composer-1", type: "model" });
		await expect(models.retrieve("no-such-model")).rejects.toMatchObject({ status: 404, type: "not_found_error" });
	});

	it("counts tokens without a run", async () => {
		const { emulator, setup } = await startRig({ brain: "echo" });
		const { messages } = connect(setup);
		const count = async (content: string) =>
			(await messages.countTokens({ model: setup.model, messages: [{ role: "user", content }] })).input_tokens;
		const [few, many] = [await count("hello"), await count("hello ".repeat(1000))];
		expect(few).toBeGreaterThan(0);
		expect(many - few).toBeGreaterThan(900);
		expect(emulator.stats().runs.started).toBe(0);
	});
});

describe("@anthropic-ai/sdk, tool runner", () => {
	it("asks for a thread, is refused one, and sends whole histories from then on", async () => {
		const { setup, bodies } = await startRig({ brain: steps(2) });
		const { tool } = stepTool();
		expect((await anthropicToolRunner.open(setup, [tool], true).say("go")).text).toBe("r1 r2");
		const [asked, ...sent] = bodies;
		expect(asked).toMatchObject({ thread: { type: "create" }, messages: [{ role: "user" }] });
		expect(sent.map(({ thread, messages }) => [thread, (messages as object[]).length])).toEqual([
			[undefined, 1],
			[undefined, 3],
			[undefined, 5],
		]);
	});
});
