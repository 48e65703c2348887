import { describe, expect, it } from "vitest";
import { call, format, PERSON, result, startRig, toldBySystem, tool, user } from "./rig.ts";

const asked = { messages: [user("go")], tools: [tool("look"), tool("write")] };
const required = { ...asked, tool_choice: "required" as const };
const look = { ...asked, tool_choice: { type: "function" as const, function: { name: "look" } } };

describe.each([false, true])("a call that tool_choice demands (stream: %s)", (stream) => {
	it("passes, with what was said before it", async () => {
		const rig = await startRig([{ text: "Looking " }, { text: "now." }, call("look", { n: 1 })]);
		const response = await rig.ask(required, stream);
		expect(response).toMatchObject({ text: "Looking now.", finish: "tool_calls" });
		expect(response.calls).toMatchObject([{ name: "look", arguments: '{"n":1}' }]);
		expect(rig.emulator.stats().runs.started).toBe(1);
	});

	it.each([
		["any", required, ["look", "write"]],
		["one", look, ["look"]],
	])("is asked for once more where the model only talks (%s)", async (_name, params, offered) => {
		const rig = await startRig([{ text: "I would rather not." }], [call("look")]);
		const response = await rig.ask(params, stream);
		expect(response.calls).toMatchObject([{ name: "look" }]);
		expect(response.text || null).toBeNull();
		expect(rig.turns.map(({ tools }) => tools.map(({ name }) => name))).toEqual([offered, offered]);
		expect(rig.turns[1]!.prompt).toContain("must call");
		expect(JSON.stringify(rig.turns[1]!.messages)).toContain("I would rather not.");
	});

	it("that is never made is an error and not an answer", async () => {
		const rig = await startRig([{ text: "No." }], [{ text: "No!" }], [call("look")]);
		const failure = await rig.ask(required, stream).catch((error) => error);
		expect(failure).toMatchObject({ status: 502, code: "output_invalid" });
		expect(failure.message).toContain("tool_choice");
		expect(failure.message).not.toContain("schema");
		expect(rig.emulator.stats().runs.started).toBe(2);
	});

	it("comes before an answer by a schema, and nothing but JSON is said beside it", async () => {
		const rig = await startRig([{ text: "Looking." }, call("look")]);
		const response = await rig.ask({ ...required, response_format: format(PERSON) }, stream);
		expect(response.calls).toMatchObject([{ name: "look" }]);
		expect(response.text || null).toBeNull();
	});
});

describe("after a call that was demanded", () => {
	it("the model is free again once the client says so", async () => {
		const rig = await startRig([call("look"), call("look")], [{ text: "done" }]);
		const first = await rig.ask(look);
		const messages = [...asked.messages, first.message, result(first.calls[0]!.id, "r")];
		expect((await rig.ask({ ...asked, messages })).text).toBe("done");
		expect(toldBySystem(rig.turns[0]!)).toContain("calling the tool look");
		expect(toldBySystem(rig.turns[1]!)).not.toContain("calling the tool look");
		expect(rig.turns[1]!.tools.map(({ name }) => name)).toEqual(["look", "write"]);
		expect(rig.gateway.parkedRuns()).toBe(0);
	});

	it("the same run goes on while the demand stays", async () => {
		const rig = await startRig([call("look", { n: 1 }), call("look", { n: 2 })]);
		const first = await rig.ask(look);
		const messages = [...asked.messages, first.message, result(first.calls[0]!.id, "r")];
		expect((await rig.ask({ ...look, messages })).calls).toMatchObject([{ arguments: '{"n":2}' }]);
		expect(rig.emulator.stats().runs.started).toBe(1);
	});
});
