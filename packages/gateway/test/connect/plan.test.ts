import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Target } from "../../src/connect/client.ts";
import { CLIENTS } from "../../src/connect/clients.ts";
import { EditError, editValue, type Json } from "../../src/connect/edit.ts";
import { emptySettings, type FormatName, parseSettings } from "../../src/connect/formats/format.ts";
import { planConnect, planDisconnect } from "../../src/connect/plan.ts";
import { TARGET } from "./target.ts";

const FIXTURES = fileURLToPath(new URL("./fixtures/", import.meta.url));
const SOURCES = Object.fromEntries(
	readdirSync(FIXTURES).map((name) => [name.replace(/\.\w+$/, ""), readFileSync(FIXTURES + name, "utf8")]),
);

const OTHER: Target = { ...TARGET, url: "http://127.0.0.1:9999", key: "cw_other", model: "grok-code" };

/** Lines of a text that are comments, or have one. */
const comments = (text: string) => text.split("\n").filter((line) => /(^|\s)(#|\/\/|\/\*)/.test(line));

it("has a realistic file for each client", () => {
	expect(Object.keys(SOURCES).sort()).toEqual(Object.keys(CLIENTS).sort());
});

describe.each(Object.entries(CLIENTS))("%s", (id, client) => {
	const source = SOURCES[id]!;
	const file = `/home/me/${id}`;
	const value = (text: string) => parseSettings(client.format, text, file);

	it("gets exactly its settings into a file with comments and much else", () => {
		const { after, connection } = planConnect(client, file, source, TARGET, true);
		expect(value(after)).toEqual(editValue(value(source), connection.edits));
		expect(after).toContain(`${TARGET.url}`);
		for (const line of comments(source)) {
			// The value in front of a comment may be ours now.
			const comment = /(#|\/\/|\/\*).*$/.exec(line)![0];
			expect(after).toContain(comment);
		}
		expect(planDisconnect(connection, after)).toEqual({ after: source, exact: true, kept: [] });
	});

	it("changes few lines of it", () => {
		const { after } = planConnect(client, file, source, TARGET, true);
		const lines = new Set(after.split("\n"));
		const gone = source.split("\n").filter((line) => !lines.has(line));
		expect(gone.length).toBeLessThanOrEqual(8);
	});

	it.each([
		["tabs", (text: string) => text.replace(/^ +/gm, (blanks) => "\t".repeat(blanks.length / 2))],
		["CRLF", (text: string) => text.replaceAll("\n", "\r\n")],
		["no line end at the end", (text: string) => text.trimEnd()],
		["a byte order mark", (text: string) => `\ufeff${text}`],
	])("leaves no trace in a file with %s", (what, change) => {
		if (what === "tabs" && client.format === "yaml") return;
		const before = change(source);
		const { after, connection } = planConnect(client, file, before, TARGET, true);
		expect(value(after)).toEqual(editValue(value(before), connection.edits));
		if (what === "CRLF") expect(after.replaceAll("\r\n", "")).not.toContain("\n");
		expect(planDisconnect(connection, after)).toEqual({ after: before, exact: true, kept: [] });
	});

	it.each(["", "\n"])("fills an empty file (%j)", (before) => {
		const { after, connection } = planConnect(client, file, before, TARGET, true);
		expect(value(after)).toEqual(editValue(emptySettings(client.format), connection.edits));
		expect(planDisconnect(connection, after).after).toBe(before);
	});

	it("makes a file, and removes it again", () => {
		const { after, connection } = planConnect(client, file, undefined, TARGET, true);
		expect(value(after)).toEqual(
			editValue(editValue(emptySettings(client.format), client.fresh ?? []), connection.edits),
		);
		expect(planDisconnect(connection, after)).toEqual({ after: undefined, exact: true, kept: [] });
	});

	it("takes out only its own settings when the user has changed others", () => {
		const { after, connection } = planConnect(client, file, source, TARGET, true);
		const changed = userEdit(client.format, after);
		const plan = planDisconnect(connection, changed);
		expect(plan.kept).toEqual([]);
		expect(plan.exact).toBe(false);
		expect(value(plan.after!)).toEqual(value(userEdit(client.format, source)));
		expect(plan.after).not.toContain(TARGET.key);
		for (const line of comments(source)) expect(plan.after).toContain(/(#|\/\/|\/\*).*$/.exec(line)![0]);
	});

	it("keeps what the user added to a file that we made", () => {
		const { after, connection } = planConnect(client, file, undefined, TARGET, true);
		const { after: rest } = planDisconnect(connection, userEdit(client.format, after));
		const made = editValue(emptySettings(client.format), client.fresh ?? []);
		expect(value(rest!)).toEqual(Array.isArray(made) ? [MINE] : { ...(made as object), mine: "own" });
	});

	it("keeps a setting of ours that the user has changed", () => {
		const { after, connection } = planConnect(client, file, source, TARGET, true);
		const changed = after.replaceAll(TARGET.url, OTHER.url);
		const plan = planDisconnect(connection, changed);
		expect(plan.kept.length).toBeGreaterThan(0);
		expect(plan.after).toContain(OTHER.url);
	});

	it("adds itself without being chosen", () => {
		const { after, connection } = planConnect(client, file, source, TARGET, false);
		expect(value(after)).toEqual(editValue(value(source), connection.edits));
		expect(connection.edits).toHaveLength(client.provider(TARGET).length);
		expect(planDisconnect(connection, after).after).toBe(source);
	});

	it("refuses a file that is broken", () => {
		const broken = { toml: "a = [1,\n", yaml: "a: [1\nb: }", json: '{ "a": ', "json-list": "[{" }[client.format];
		expect(() => planConnect(client, file, broken, TARGET, true)).toThrow(EditError);
		expect(() => planConnect(client, file, broken, TARGET, true)).toThrow(/repair it first/);
	});
});

/** A group of the user's own, in a file that is a list. */
const MINE = { vendor: "ollama", name: "mine" };

/** A setting of the user's own at the end of a file. */
function userEdit(format: FormatName, text: string): string {
	if (format === "json-list")
		return text.replace(/,?\s*\]\s*$/, `,\n  ${JSON.stringify(MINE)}\n]\n`).replace(/^\[,/, "[");
	if (format === "toml") return `mine = "own"\n${text}`;
	if (format === "yaml") return `${text}mine: own\n`;
	return text.replace(/,?\s*\}\s*$/, ',\n  "mine": "own"\n}\n').replace(/^\{,/, "{");
}

it("takes back a file that the client has written anew, with a time of its own, to the byte", () => {
	const cline = CLIENTS.cline!;
	for (const before of [SOURCES.cline!, undefined]) {
		const { after, connection } = planConnect(cline, "/f", before, TARGET, true);
		const value = JSON.parse(after);
		value.providers["openai-compatible"].updatedAt = "2026-11-15T00:00:00.000Z";
		const rewritten = JSON.stringify(value, undefined, 4);
		expect(planDisconnect(connection, rewritten)).toEqual({ after: before, exact: true, kept: [] });
	}
});

describe("files that are written in unusual ways", () => {
	it.each<[client: string, before: string]>([
		["codex", 'model_providers = ["azure"]\n'],
		["continue", "models: many\n"],
		["qwen-code", '{ "modelProviders": [] }'],
		["claude-code", '{ "env": "none" }'],
	])("%s: %s is refused in one line", (id, before) => {
		const plan = () => planConnect(CLIENTS[id]!, "/f", before, TARGET, true);
		expect(plan).toThrow(EditError);
		expect(plan).toThrow(/^[^\n]+$/);
	});

	it.each<[client: string, before: string]>([
		["codex", "model='x'\n[model_providers]\n[ model_providers . 'cursorwire' ]\nname='old' # mine\n\n[tui]\n"],
		["codex", '[model_providers.cursorwire]\nname = "old"\n[model_providers.cursorwire.http_headers]\na = "b"\n'],
		["codex", 'model_providers = { azure = { name = "Azure" } }\n'],
		["codex", 'model_providers.azure.name = "Azure"\n'],
		["continue", "models: []\n"],
		["continue", "models:\n- name: a # one\n  model: b\n- name: c\n"],
		["continue", "models:\n"],
		["continue", "{models: [{name: a}]}\n"],
		["aider", "---\nmodel:\n...\n"],
		["aider", "model: |\n  a\nopenai-api-key: 'it''s'\n"],
		["opencode", '{"provider":{}}'],
		["zed", '{"a":1,}'],
		["qwen-code", '{"modelProviders":{"openai":[]}}'],
	])("%s: %j is edited", (id, before) => {
		const client = CLIENTS[id]!;
		const plan = planConnect(client, "/f", before, TARGET, true);
		const value = (text: string): Json => parseSettings(client.format, text, "/f");
		expect(value(plan.after)).toEqual(editValue(value(before), plan.connection.edits));
		expect(planDisconnect(plan.connection, plan.after).after).toBe(before);
	});
});
