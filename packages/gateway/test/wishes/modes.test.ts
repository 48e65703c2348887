import { describe, expect, it } from "vitest";
import { PATHS, startTelling, tell } from "./rig.ts";

const TOOL_TURN = [
	{ role: "user", content: "x" },
	{ role: "assistant", tool_calls: [{ id: "c1", type: "function", function: { name: "look", arguments: "{}" } }] },
	{ role: "tool", tool_call_id: "c1", content: "seen" },
];

describe.each(PATHS)("a mode, over %s", (path) => {
	it.each(["agent", "unified"])("reaches Cursor over the %s protocol, whichever way it is named", async (protocol) => {
		const gateway = await startTelling({ protocol });
		const byField = await tell(gateway, path, { cursor_mode: "plan" });
		const byMetadata = await tell(gateway, path, { metadata: { cursor_mode: "plan" } });
		const byHeader = await tell(gateway, path, {}, { "x-cursorwire-mode": "plan" });
		const byName = await tell(gateway, path, { model: "composer-1:plan" });
		for (const told of [byField, byMetadata, byHeader, byName]) {
			expect(told).toMatchObject({ status: 200, mode: "plan", model: "composer-1", warnings: "" });
		}
		expect(await tell(gateway, path)).toMatchObject({ mode: protocol === "agent" ? "agent" : "chat", warnings: "" });
	});

	it("is the setting's where a request names none, and the nearest to the request counts", async () => {
		const gateway = await startTelling({ mode: "debug" });
		expect(await tell(gateway, path)).toMatchObject({ mode: "debug" });
		expect(await tell(gateway, path, { model: "composer-1:ask" })).toMatchObject({ mode: "ask" });
		const header = { "x-cursorwire-mode": "plan" };
		expect(await tell(gateway, path, { model: "composer-1:ask" }, header)).toMatchObject({ mode: "plan" });
		expect(await tell(gateway, path, { cursor_mode: "agent" }, header)).toMatchObject({ mode: "agent" });
	});

	it("that there is not is a 400 that names those there are", async () => {
		const gateway = await startTelling();
		const wrong = [
			[await tell(gateway, path, { cursor_mode: "vibe" }), "cursor_mode"],
			[await tell(gateway, path, { metadata: { cursor_mode: "vibe" } }), "metadata.cursor_mode"],
			[await tell(gateway, path, {}, { "x-cursorwire-mode": "vibe" }), "x-cursorwire-mode"],
		] as const;
		for (const [told, place] of wrong) {
			expect(told).toMatchObject({ status: 400, error: { type: "invalid_request_error" } });
			expect(told.error.message).toContain(`${place} must be one of agent, ask, chat, plan`);
		}
	});

	it("that the protocol in use does not know is told in a warning", async () => {
		const agent = await startTelling({ protocol: "agent" });
		const edit = await tell(agent, path, { cursor_mode: "edit" });
		expect(edit).toMatchObject({ status: 200, mode: "agent" });
		expect(edit.warnings).toBe('the agent protocol has no mode "edit"; it has no effect');
		const unified = await startTelling({ protocol: "unified" });
		expect((await tell(unified, path, { cursor_mode: "triage" })).warnings).toContain(
			'the unified protocol has no mode "triage"',
		);
		const legacy = await startTelling({ protocol: "legacy", mode: "plan" });
		expect((await tell(legacy, path)).warnings).toBe('the legacy protocol has no mode "plan"; it has no effect');
	});
});

describe("a mode", () => {
	it("that both protocols know by other names is the same thing", async () => {
		const agent = await startTelling({ protocol: "agent" });
		expect(await tell(agent, PATHS[0], { cursor_mode: "chat" })).toMatchObject({ mode: "ask", warnings: "" });
		const unified = await startTelling({ protocol: "unified" });
		expect(await tell(unified, PATHS[0], { cursor_mode: "ask" })).toMatchObject({ mode: "chat", warnings: "" });
	});

	it("holds for a conversation that goes on with results of tools, rebuilt from its history", async () => {
		const gateway = await startTelling();
		const told = await tell(gateway, PATHS[0], { messages: TOOL_TURN, cursor_mode: "plan" });
		expect(told).toMatchObject({ mode: "plan", resumed: true });
	});

	it("is told to have no effect also where the protocol turns out not to be served", async () => {
		const gateway = await startTelling({}, ["agent-service=unimplemented"]);
		const told = await tell(gateway, PATHS[0], { cursor_mode: "triage" });
		expect(told).toMatchObject({ status: 200, mode: "chat" });
		expect(told.warnings).toContain('the unified protocol has no mode "triage"');
	});
});
