import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { diffText } from "../../src/cli/terminal/diff.ts";
import type { Target } from "../../src/connect/client.ts";
import { CLIENTS } from "../../src/connect/clients.ts";
import { planConnect } from "../../src/connect/plan.ts";
import { TARGET } from "./target.ts";

const COUNT = 180;
const MANY: Target = {
	...TARGET,
	models: Array.from({ length: COUNT }, (_, index) => ({ ...TARGET.models[index % 3]!, id: `model-${index}` })),
	model: "model-0",
};
const plain = (_: string, text: string) => text;
const corpus = (name: string) => readFileSync(fileURLToPath(new URL(`./corpus/${name}`, import.meta.url)), "utf8");

describe("what `connect` shows before it asks", () => {
	it.each([
		["opencode", "opencode/comments.jsonc"],
		["opencode", "opencode/one-line.json"],
		["opencode", undefined],
		["qwen-code", "qwen-code/hugging.json"],
		["qwen-code", "qwen-code/one-line-models.json"],
		["qwen-code", undefined],
		["zed", "zed/tabs-crlf.jsonc"],
		["crush", "crush/existing.json"],
		["crush", undefined],
		["vscode", "vscode/by-hand.json"],
		["goose", "goose/tabs.json"],
		["pi", "pi/by-hand.json"],
		["kilo", "kilo/comments.jsonc"],
		["raycast", "raycast/several.yaml"],
	])("is short with many models: %s, %s", (id, name) => {
		const before = name && corpus(name);
		const { after } = planConnect(CLIENTS[id]!, "/f", before, MANY, true);
		const shown = diffText("/f", before, after, [MANY.key], plain);
		const lines = shown.split("\n");
		expect(lines.length).toBeLessThan(70);
		expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(250);
		expect(shown).not.toContain(MANY.key);
		expect(shown).not.toContain("\r");
		// Their models are written in lines that are counted in another way.
		if (["opencode/one-line.json", "goose/tabs.json", "raycast/several.yaml"].includes(name ?? "")) return;
		// All are counted: those that are shown, and the rest.
		const more = Number(/^\+\s*… (\d+) more models$/m.exec(shown)?.[1]);
		const seen = new Set(shown.match(/(?<=^\+\s*"(id|name)": ")model-\d+(?=")|(?<=^\+\s*")model-\d+(?=": \{)/gm));
		expect(seen.size + more).toBe(COUNT);
		expect(seen.size).toBeGreaterThan(0);
	});

	it("hides nothing where there is little to hide: all of Codex's settings", () => {
		const { after } = planConnect(CLIENTS.codex!, "/f", undefined, MANY, true);
		const shown = diffText("/f", undefined, after, [MANY.key], plain);
		expect(shown).toContain("+api_key_model_discovery = true");
		expect(shown).not.toContain("…");
	});

	it("has three lines around a change, and no more", () => {
		const lines = Array.from({ length: 9 }, (_, index) => `a${index}`);
		const shown = diffText("/f", lines.join("\n"), lines.join("\n").replace("a4", "b"), [], plain);
		expect(shown).toBe("/f (changed)\n@@ line 2\n a1\n a2\n a3\n-a4\n+b\n a5\n a6\n a7");
	});

	it("shows of a long line the place that changes, and never a part of a key", () => {
		const line = (text: string) => `${"x".repeat(500)} ${text} ${"y".repeat(500)}`;
		const shown = diffText("/f", line("old"), line("cw_secret_key new"), ["cw_secret_key"], plain);
		expect(shown).toMatch(/-… x+ old y+… \(\d+ more characters\)/);
		expect(shown).toMatch(/\+… x+ cw_\(key\) new y+… \(\d+ more characters\)/);
	});

	it("says when nothing changes", () => {
		expect(diffText("/f", "a\n", "a\n", [], plain)).toBe("/f (unchanged)");
	});
});
