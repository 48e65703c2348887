import { describe, expect, it } from "vitest";
import { describeCuts } from "./cuts.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses, openaiResponsesWhole } from "./openai-responses.ts";
import { connect } from "./openai-sdk.ts";
import { startRig } from "./rig.ts";
import { describeClient, describeTalker } from "./suite.ts";
import { itTakesFiftySteps } from "./tool-loops.ts";

describeClient("openai, Chat Completions", openaiChat);
describeClient("openai, Responses", openaiResponses);
describeTalker("openai, Responses with nothing stored", openaiResponsesWhole);

describe("openai, Chat Completions", () => {
	itTakesFiftySteps(openaiChat);
	describeCuts(openaiChat, /\[DONE\]|"finish_reason":"/);

	it("tries again by itself what may work the next time", async () => {
		const { emulator, setup } = await startRig({ brain: "echo", faults: ["error=internal@frame:1*3"] });
		const patient = connect(setup).withOptions({ maxRetries: 2 });
		const { choices } = await patient.chat.completions.create({
			model: setup.model,
			messages: [{ role: "user", content: "hello" }],
		});
		expect(choices[0]!.message.content).toBe("hello");
		expect(emulator.stats().runs.ended).toBe(1);
	});
});

describe("openai, Responses", () => {
	itTakesFiftySteps(openaiResponses);
	describeCuts(openaiResponses, /response\.(completed|incomplete)|\[DONE\]/);

	it("throws for those who read the events themselves as well", async () => {
		const { setup } = await startRig({
			async *brain() {
				yield { text: "half an " };
				yield { delay: 30 };
				yield { drop: true };
			},
		});
		const events = await connect(setup).responses.create({ model: setup.model, input: "hello", stream: true });
		const seen: string[] = [];
		const reading = (async () => {
			for await (const { type } of events) seen.push(type);
		})();
		await expect(reading).rejects.toThrow("cut in the middle of the answer");
		expect(seen.at(-1)).toBe("response.output_text.delta");
	});

	it("finds what was stored, and deletes it", async () => {
		const { setup } = await startRig({ brain: "echo" });
		const { responses } = connect(setup);
		const made = await responses.create({ model: setup.model, input: "hello", metadata: { topic: "greeting" } });
		const found = await responses.retrieve(made.id);
		expect(found).toMatchObject({ id: made.id, status: "completed", metadata: { topic: "greeting" } });
		expect(found.output).toEqual(made.output);
		const items = [];
		for await (const item of responses.inputItems.list(made.id)) items.push(item);
		expect(items).toMatchObject([{ role: "user", content: [{ type: "input_text", text: "hello" }] }]);
		await responses.delete(made.id);
		await expect(responses.retrieve(made.id)).rejects.toMatchObject({ status: 404 });
		const next = { model: setup.model, input: "more", previous_response_id: made.id };
		await expect(responses.create(next)).rejects.toMatchObject({
			status: 400,
			code: "previous_response_not_found",
			param: "previous_response_id",
		});
	});
});

describe("openai", () => {
	it("lists models", async () => {
		const { setup } = await startRig({ brain: "echo" });
		const { models } = connect(setup);
		const ids: string[] = [];
		for await (const model of models.list()) {
			expect(model).toMatchObject({ object: "model", owned_by: "cursor" });
			ids.push(model.id);
		}
		expect(ids).toContain("composer-1");
		expect(await models.retrieve("composer-1")).toMatchObject({ id: "composer-1", object: "model" });
		await expect(models.retrieve("no-such-model")).rejects.toMatchObject({ status: 404, code: "model_not_found" });
	});
});
