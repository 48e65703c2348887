// Settings files as people have them: after `connect` only our bytes are new, after `disconnect` none is left.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { CLIENTS } from "../../src/connect/clients.ts";
import { editValue } from "../../src/connect/edit.ts";
import { type FormatName, parseSettings } from "../../src/connect/formats/format.ts";
import { planConnect, planDisconnect } from "../../src/connect/plan.ts";
import { TARGET } from "./target.ts";

const CORPUS = fileURLToPath(new URL("./corpus/", import.meta.url));
const FILES = readdirSync(CORPUS, { recursive: true, encoding: "utf8" })
	.filter((name) => dirname(name) !== "." && /\.\w+$/.test(name))
	.map((name) => name.replaceAll("\\", "/"))
	.sort();

/**
 * What `connect` takes out of a line: values that become ours, keys that ours must not have, and closing brackets that
 * go to a line of their own because our lines come before them.
 */
const REPLACED: Readonly<Record<string, string[]>> = {
	"aider/folded.yml": [">-\n  anthropic/claude-sonnet-4-5"],
	"aider/quotes.yml": ["gpt-5.4", "sk-old"],
	"aider/sample.yml": ["sonnet"],
	"claude-code/by-hand.json": ["localhost", "by_hand"],
	"claude-code/empty-object.json": ["}"],
	"claude-code/minified.json": ["opus"],
	"claude-code/spaced-empty-env.json": [" },"],
	"cline/other-server.json": [
		"local",
		"qwen3-coder",
		"localhost:1234",
		',\n                "headers": { "x-team": "blue" }',
		"2026-08-01T10",
	],
	"cline/several.json": ["cline"],
	"codex/by-hand.toml": ["chat", 'env_key = "CW_KEY"\n'],
	"codex/crlf.toml": ["gpt-5.4"],
	"codex/dotted-keys.toml": ["gpt-5.4"],
	"codex/existing-providers.toml": ["o3", "ollama"],
	"codex/inline-tables.toml": ["'gpt-5.4'", "azure"],
	"codex/mixed-endings.toml": ["gpt-5.4"],
	"continue/empty-list.yaml": [" []"],
	"crush/existing.json": ["deepseek", "deepseek-chat", ', "reasoning_effort": "high"'],
	"crush/four-spaces.json": ["claude-opus-4-6", "anthropic"],
	"opencode/by-hand.jsonc": ["localhost"],
	"opencode/comments.jsonc": ["openai/gpt-5.4"],
	"opencode/duplicate.json": ["second/one"],
	"opencode/one-line.json": ["anthropic/claude-sonnet-4-5"],
	"opencode/unicode.json": ["}"],
	"kilo/comments.jsonc": ["kilo/anthropic/claude-sonnet-4.5"],
	"kilo/one-line.json": ["kilo/"],
	"pi/by-hand.json": ["localhost", "CURSORWIRE_KEY", '{ "id": "auto" }]'],
	"raycast/empty-list.yaml": [" []"],
	"vscode/by-hand.json": ["responses", "localhost", "responses", "2", "16"],
	"vscode/empty.json": ["]"],
	"qwen-code/hugging.json": ["qwen-oauth"],
	"qwen-code/one-line-models.json": ["qwen3-coder-plus"],
	"zed/agent.jsonc": ["zed.dev", "claude-sonnet-4-5", " } // local"],
};

const read = (name: string): string => readFileSync(join(CORPUS, name), "utf8");
const isComment = (line: string): boolean => /^\s*(#|\/\/|\/\*)/.test(line);

/** Whether a sequence is another one with insertions only. */
function isPartOf<T>(part: ArrayLike<T>, whole: ArrayLike<T>, isMatch: (one: T, other: T) => boolean): boolean {
	let at = 0;
	for (let each = 0; each < whole.length && at < part.length; each++) if (isMatch(part[at]!, whole[each]!)) at++;
	return at === part.length;
}

/** Whether all lines are there in their order, with insertions in them at most. */
const hasLines = (before: string, after: string): boolean =>
	isPartOf(before.split("\n"), after.split("\n"), (line, longer) => isPartOf(line, longer, Object.is));

/** The text without what the row names: of every occurrence, the one that makes the rest a part of the result. */
function isKept(before: string, after: string, replaced: readonly string[]): boolean {
	const [first, ...others] = replaced;
	if (first === undefined) return hasLines(before, after);
	for (let at = before.indexOf(first); at >= 0; at = before.indexOf(first, at + 1)) {
		if (isKept(before.slice(0, at) + before.slice(at + first.length), after, others)) return true;
	}
	return false;
}

/** The lines before and after each comment that has a line of its own, without what a value adds to them. */
function neighbours(text: string): { comment: string; above: string; below: string }[] {
	const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
	const nameOf = (line = "") => line.replace(/\s*([:=,{[]|\/\/).*$/, "").trim();
	return lines.flatMap((line, at) =>
		isComment(line) ? [{ comment: line, above: nameOf(lines[at - 1]), below: nameOf(lines[at + 1]) }] : [],
	);
}

/** Changes that a user makes, in the notation of the format. */
const USER_EDITS: Readonly<Record<FormatName, Readonly<Record<string, (text: string) => string>>>> = {
	json: {
		"a comment at the top": (text) => text.replace(/^\ufeff?/, "$&// mine\n"),
		"a comment at the end": (text) => `${text}\n// mine`,
		"a comment within the first line": (text) => text.replace(/\{(?=\s*[/"])/, "{ /* mine */"),
	},
	"json-list": {
		"a comment at the top": (text) => text.replace(/^\ufeff?/, "$&// mine\n"),
		"a comment at the end": (text) => `${text}\n// mine`,
		"a group at the end": (text) => text.replace(/\}\s*,?\s*\]\s*$/, '}, { "vendor": "ollama", "name": "mine" }]\n'),
	},
	toml: {
		"a comment at the top": (text) => `# mine\n${text}`,
		"a table at the end": (text) => `${text}\n\n[mine]\na = 1 # mine\n`,
		"a key at the top": (text) => `mine = 'own'\n${text}`,
	},
	yaml: {
		"a comment at the top": (text) => `# mine\n${text}`,
		"a comment at the end": (text) => `${text.replace(/\n?$/, "\n")}# mine\n`,
	},
};

it("has forty files and more, of all clients", () => {
	expect(FILES.length).toBeGreaterThanOrEqual(40);
	expect([...new Set(FILES.map((name) => dirname(name)))].sort()).toEqual(Object.keys(CLIENTS).sort());
	expect(Object.keys(REPLACED).filter((name) => !FILES.includes(name))).toEqual([]);
});

describe.each(FILES)("%s", (name) => {
	const client = CLIENTS[dirname(name)]!;
	const { format } = client;
	const before = read(name);
	const value = (text: string) => parseSettings(format, text, name);
	const connect = () => planConnect(client, name, before, TARGET, true);

	it("gets our settings, and loses nothing else", () => {
		const { after, connection } = connect();
		expect(value(after)).toEqual(editValue(value(before), connection.edits));
		expect(isKept(before, after, REPLACED[name] ?? [])).toBe(true);
		// Nothing is named here that stays.
		for (const text of REPLACED[name] ?? []) {
			expect(
				isKept(
					before,
					after,
					(REPLACED[name] ?? []).filter((other) => other !== text),
				),
			).toBe(false);
		}
	});

	it("keeps its layout", () => {
		const { after } = connect();
		expect(after.startsWith("\ufeff")).toBe(before.startsWith("\ufeff"));
		if (!before.includes("\r\n")) expect(after).not.toContain("\r");
		else if (!/(?<!\r)\n/.test(before)) expect(after).not.toMatch(/(?<!\r)\n/);
		if (before.trim() !== "" && !format.startsWith("json")) expect(after.endsWith("\n")).toBe(before.endsWith("\n"));
		if (/^\s*\{.*\}\s*$/.test(before) && before.trim() !== "{}") expect(after.trim()).not.toContain("\n");
		expect(after).not.toMatch(/[ \t]+$/m);
	});

	it("keeps its comments where they are", () => {
		const { after } = connect();
		const now = neighbours(after);
		const all = neighbours(before);
		expect(now.map(({ comment }) => comment)).toEqual(all.map(({ comment }) => comment));
		for (const [index, { above, below }] of all.entries()) {
			expect([now[index]!.above === above, now[index]!.below === below]).toContain(true);
		}
	});

	it("stays the same when it is connected again, and gets its bytes back", () => {
		const { after, connection } = connect();
		const undone = planDisconnect(connection, after);
		expect(undone).toEqual({ after: before, exact: true, kept: [] });
		expect(planConnect(client, name, undone.after, TARGET, true).after).toBe(after);
	});

	// Where there is no first line to edit, the edit changes nothing.
	const edits = Object.entries(USER_EDITS[format]).filter(([, edit]) => edit(before) !== before);
	it.each(edits)("keeps %s, and only that", (_, edit) => {
		const { after, connection } = connect();
		const undone = planDisconnect(connection, edit(after));
		expect(undone).toEqual({ after: edit(before), exact: false, kept: [] });
	});
});
