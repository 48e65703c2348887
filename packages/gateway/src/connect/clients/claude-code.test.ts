import { describe, expect, it } from "vitest";
import type { Target, TargetModel } from "../client.ts";
import { editValue } from "../edit.ts";
import { claudeCode } from "./claude-code.ts";

const model = (id: string): TargetModel => ({ id, name: id, contextWindow: 200_000, thinking: true, images: true });
const target = (chosen: string, ...others: string[]): Target => ({
	url: "http://127.0.0.1:4280",
	key: "cw_0123456789",
	model: chosen,
	models: [chosen, ...others].map(model),
});

describe("the small model, for titles, summaries and searches", () => {
	it.each([
		["auto", ["claude-4.5-haiku"], "auto", "auto, whose usage is counted apart"],
		["claude-4.6-opus", ["gpt-5.4-mini", "claude-4.5-haiku"], "claude-4.5-haiku", "claude-4.5-haiku, a small model"],
		["gpt-5.4", ["gpt-5.4-mini", "auto"], "gpt-5.4-mini", "gpt-5.4-mini, a small model"],
		["gpt-5.4", ["grok-code", "auto"], "auto", "auto, whose usage is counted apart"],
		["gpt-5.4", ["grok-code"], "gpt-5.4", "gpt-5.4, since there is no smaller one"],
	])("beside %s, of an account with %j, is %s, and a note says why", (chosen, others, small, why) => {
		const at = target(chosen, ...others);
		const { env } = editValue({}, claudeCode.selection(at)) as { env: Record<string, string> };
		expect(env).toMatchObject({ ANTHROPIC_MODEL: chosen, ANTHROPIC_DEFAULT_HAIKU_MODEL: small });
		const notes = claudeCode.notes!(at, { variable: () => "", settings: {} });
		expect(notes.find((note) => note.startsWith("ANTHROPIC_DEFAULT_HAIKU_MODEL"))).toContain(`go to ${why}`);
	});
});
