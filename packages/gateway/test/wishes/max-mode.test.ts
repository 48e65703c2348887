import { describe, expect, it } from "vitest";
import { startTestGateway } from "../kit/gateway.ts";
import { PATHS, startTelling, tell } from "./rig.ts";

const OPUS = { model: "claude-4.6-opus" };
const LONG = { status: 200, maxMode: true, parameters: { context: "1m" }, warnings: "" };

describe.each(PATHS)("Max Mode, over %s", (path) => {
	it("is asked for by a field, by metadata, by a header and by the name of the model", async () => {
		const gateway = await startTelling({}, ["max-mode=required-for-long-context"]);
		const wished = [
			await tell(gateway, path, { ...OPUS, cursor_max_mode: true }),
			await tell(gateway, path, { ...OPUS, metadata: { cursor_max_mode: "true" } }),
			await tell(gateway, path, OPUS, { "x-cursorwire-max-mode": "true" }),
			await tell(gateway, path, { model: "claude-4.6-opus:max" }),
		];
		for (const told of wished) expect(told).toMatchObject({ ...LONG, model: "claude-4.6-opus" });
		expect(await tell(gateway, path, OPUS)).toMatchObject({ status: 200, maxMode: false, parameters: {} });
	});

	it("is a setting, which a request may overrule", async () => {
		const gateway = await startTelling({ maxMode: true });
		expect(await tell(gateway, path, OPUS)).toMatchObject(LONG);
		expect(await tell(gateway, path, { ...OPUS, cursor_max_mode: false })).toMatchObject({ maxMode: false });
		expect(await tell(gateway, path, OPUS, { "x-cursorwire-max-mode": "0" })).toMatchObject({ maxMode: false });
	});

	it("is refused where it is said in a way that means nothing", async () => {
		const gateway = await startTelling();
		const wrong = [
			[await tell(gateway, path, { cursor_max_mode: "yes" }), "cursor_max_mode"],
			[await tell(gateway, path, { metadata: { cursor_max_mode: "yes" } }), "metadata.cursor_max_mode"],
			[await tell(gateway, path, {}, { "x-cursorwire-max-mode": "yes" }), "x-cursorwire-max-mode"],
		] as const;
		for (const [told, place] of wrong) {
			expect(told.status).toBe(400);
			expect(told.error.message).toContain(`${place} must be true or false`);
		}
	});
});

describe("Max Mode", () => {
	const path = PATHS[0];

	it("goes with a mode, an effort, a variant and an alias", async () => {
		const gateway = await startTelling({
			modelAliases: { "claude-4.6-sonnet": "claude-4.6-sonnet:max", "my-*": "claude-4.6-opus" },
		});
		expect(await tell(gateway, path, { model: "claude-4.6-opus:plan:max" })).toMatchObject({ ...LONG, mode: "plan" });
		expect(await tell(gateway, path, { model: "my-own:max" })).toMatchObject({ ...LONG, model: "claude-4.6-opus" });
		expect(await tell(gateway, path, { model: "claude-4.6-sonnet" })).toMatchObject(LONG);
		expect(await tell(gateway, path, { model: "claude-opus-4-6:max" })).toMatchObject({
			...LONG,
			model: "claude-4.6-opus",
		});
		const effort = { thinking: "true", effort: "high" };
		expect(await tell(gateway, path, { model: "claude-4.6-opus-high-thinking:max" })).toMatchObject({
			...LONG,
			parameters: { ...effort, context: "1m" },
		});
		expect(await tell(gateway, path, { model: "claude-4.6-opus:max", reasoning_effort: "high" })).toMatchObject({
			parameters: { ...effort, context: "1m" },
		});
	});

	it("is asked for in the other spelling where Cursor takes no parameters", async () => {
		const gateway = await startTelling({}, ["model-form=flattened"]);
		expect(await tell(gateway, path, { model: "claude-4.6-opus-thinking:max" })).toMatchObject({
			status: 200,
			maxMode: true,
			model: "claude-4.6-opus-thinking",
		});
	});

	it("reaches Cursor over the unified protocol, and is told to have no effect over the legacy one", async () => {
		const unified = await startTelling({ protocol: "unified" });
		expect(await tell(unified, path, { model: "claude-4.6-opus:max" })).toMatchObject({ maxMode: true, warnings: "" });
		// For a single model: the name counts without what stands behind it.
		const legacy = await startTelling({ modelProtocols: { "claude-4.6-opus": "legacy" } });
		const told = await tell(legacy, path, { model: "claude-4.6-opus:max" });
		expect(told).toMatchObject({ status: 200, model: "claude-4.6-opus" });
		expect(told.warnings).toContain("the legacy protocol has no Max Mode; it has no effect");
	});

	it("is told to have no effect with a model that has none", async () => {
		const gateway = await startTelling();
		const told = await tell(gateway, path, { model: "composer-1:max" });
		expect(told).toMatchObject({
			status: 200,
			maxMode: false,
			warnings: "composer-1 has no Max Mode; it has no effect",
		});
	});

	it("is asked for with a model that no list knows", async () => {
		const gateway = await startTelling();
		const answer = await tell(gateway, path, { model: "no-such-model:max" });
		expect(answer.status).toBe(404);
		expect(answer.error.message).toContain('"no-such-model"');
	});

	it("is what the error of a model that needs it says how to turn on", async () => {
		const gateway = await startTestGateway({
			emulator: {
				async *brain() {
					const details = { error: "ERROR_MAX_MODE_REQUIRED" as const, title: "Max Mode required" };
					yield { error: { code: "failed_precondition", message: "Error", details } };
				},
			},
		});
		const { status, error } = await tell(gateway, path);
		expect([status, error.code]).toEqual([400, "max_mode_required"]);
		for (const way of ["the setting maxMode", "`:max`", "cursor_max_mode"]) expect(error.message).toContain(way);
	});
});
