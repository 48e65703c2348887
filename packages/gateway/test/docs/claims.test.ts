// What documents name exists: headers, variables, error codes, options, files, anchors, exit codes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import * as emulator from "cursorwire-emulator/cli";
import { describe, expect, it } from "vitest";
import { EXIT_CODES } from "../../src/cli/process/exit-codes.ts";
import { buildProgram } from "../../src/cli/program.ts";
import { ERROR_KINDS } from "../../src/turn/error-kinds.ts";
import { anchorsIn, codeIn, DOCUMENTS, headingsOf, isThere, pathIn, ROOT, SOURCES } from "./claims.ts";

const allText = DOCUMENTS.map(({ text }) => text).join("\n");
/** Variables of programs that are not ours, in examples. */
const OF_OTHERS = ["CURSOR_SESSION_TOKEN"];
const findAll = (text: string, pattern: RegExp) => [...new Set(text.match(pattern) ?? [])].sort();

describe.each(DOCUMENTS)("$path names only", (document) => {
	const { path, text } = document;

	it("headers that the gateway has", () => {
		const known = findAll(SOURCES, /x-cursorwire-[a-z0-9-]+/g);
		expect(findAll(text, /x-cursorwire-[a-z0-9-]+/g).filter((name) => !known.includes(name))).toEqual([]);
	});

	it("variables that something reads", () => {
		const named = findAll(text, /\b(?:CURSORWIRE|CURSOR)_[A-Z0-9_]+\b/g);
		const isRead = (name: string) => OF_OTHERS.includes(name) || new RegExp(`\\b${name}\\b`).test(SOURCES);
		expect(named.filter((name) => !isRead(name))).toEqual([]);
	});

	it("error codes that are sent, with their status", () => {
		const pairs = Object.values(ERROR_KINDS).flatMap(({ status, openai, anthropic }) =>
			[openai.code, openai.type, anthropic].map((code) => `${status} \`${code}\``),
		);
		expect(findAll(text, /\b[45]\d\d `[a-z_]+`/g).filter((pair) => !pairs.includes(pair))).toEqual([]);
	});

	it("options that the command has", () => {
		const wrong = codeIn(text).flatMap(wrongOptions);
		expect(wrong).toEqual([]);
	});

	it("files that exist", () => {
		const paths = codeIn(text).flatMap((code) => pathIn(code) ?? []);
		expect(paths.filter((each) => !isThere(each, document))).toEqual([]);
	});

	it("anchors that exist", () => {
		const missing = anchorsIn(document).filter(({ file, anchor }) => {
			const target = file === path ? text : readFileSync(join(ROOT, file), "utf8");
			return file.endsWith(".md") && !headingsOf(target).has(anchor);
		});
		expect(missing).toEqual([]);
	});

	it("exit codes that there are", () => {
		const codes = Object.values(EXIT_CODES).map(({ code }) => code);
		const named = [...text.matchAll(/exit code (?:is )?(\d+)/gi)].map(([, code]) => Number(code));
		expect(named.filter((code) => !codes.includes(code as never))).toEqual([]);
	});
});

it.each(findAll(SOURCES, /"x-cursorwire-[a-z0-9-]+"/g))("the header %s is in a document", (quoted) => {
	expect(allText).toContain(`\`${quoted.slice(1, -1)}`);
});

/** Options of `cursorwire <command> …` that this command does not take. */
function wrongOptions(code: string): string[] {
	const [, words] = /^(?:npx )?cursorwire ((?:[a-z-]+ ?)+)/.exec(code) ?? [];
	if (!words) return [];
	let command: Command = buildProgram(emulator);
	for (const word of words.trim().split(" ")) {
		const next = command.commands.find((each) => each.name() === word);
		if (!next) break;
		command = next;
	}
	// The emulator reads its own options.
	if (["emulate", "cursorwire"].includes(command.name())) return [];
	const known = [...command.options.flatMap(({ long, short }) => [long, short]), "--help", "--version"];
	return (code.match(/(?<= )--[a-z][a-z0-9-]*/g) ?? [])
		.filter((flag) => !known.includes(flag))
		.map((flag) => `${code}: ${flag}`);
}

describe("a wrong claim is found", () => {
	it.each([
		["cursorwire serve --http1", []],
		["cursorwire serve --htpp1", ["cursorwire serve --htpp1: --htpp1"]],
		["npx cursorwire keys add x --turn 2", ["npx cursorwire keys add x --turn 2: --turn"]],
	])("in the options of %s", (code, wrong) => expect(wrongOptions(code)).toEqual(wrong));

	it("in a path or an anchor", () => {
		const document = { path: "docs/x.md", text: "[a](y.md#b) and [c](#d)" };
		expect(pathIn("upstream/run/none.ts")).toBe("upstream/run/none.ts");
		expect(isThere("upstream/run/none.ts", document)).toBe(false);
		expect(isThere("upstream/run/run.ts", document)).toBe(true);
		expect(anchorsIn(document)).toEqual([
			{ file: "docs/y.md", anchor: "b" },
			{ file: "docs/x.md", anchor: "d" },
		]);
		expect([...headingsOf("# What `it` does, now\n## B c")]).toEqual(["what-it-does-now", "b-c"]);
	});
});
