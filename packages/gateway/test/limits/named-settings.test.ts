// No error may send a user to a setting that does not exist.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { SETTINGS } from "../../src/config/setting-table.ts";
import { LAUNCH_MARK } from "../../src/launch/launch-mark.ts";
import { ERROR_KINDS } from "../../src/turn/error-kinds.ts";

const SOURCE = fileURLToPath(new URL("../../src", import.meta.url));
const NAMES = new Set(Object.keys(SETTINGS));
/** Where the file is, and where Codex is told to look for the key. */
const OTHER_VARIABLES = ["CURSORWIRE_CONFIG", "CURSORWIRE_API_KEY"];
const VARIABLES = new Set<string>([...OTHER_VARIABLES, ...Object.values(SETTINGS).flatMap(({ env }) => [...env])]);
/** What may follow the word "setting" without being the name of one. */
const OTHER_WORDS = new Set(["is"]);

interface Text {
	file: string;
	text: string;
	/** The property whose value it is or is part of. */
	property: string | undefined;
}

/** Every text of the program, with `…` where something is filled in. */
function textsOfProgram(): Text[] {
	const files = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
		.filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
		.map((file) => join(SOURCE, file));
	return files.flatMap((file) => {
		const texts: Text[] = [];
		const visit = (node: ts.Node, property: string | undefined): void => {
			const inside = ts.isPropertyAssignment(node) ? node.name.getText(source) : property;
			const text = textOf(node);
			if (text !== undefined) texts.push({ file, text, property: inside });
			ts.forEachChild(node, (child) => visit(child, inside));
		};
		const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
		visit(source, undefined);
		return texts;
	});
}

function textOf(node: ts.Node): string | undefined {
	if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("…");
}

const TEXTS = textsOfProgram();
const namedIn = (text: string) => [...text.matchAll(/\bsetting (\w+)/g)].map(([, name]) => name!);
const camelCased = (text: string) => text.match(/\b[a-z]+[A-Z]\w*/g) ?? [];

describe("a setting that a text of the program names", () => {
	it("is one of the table", () => {
		const named = TEXTS.flatMap(({ file, text }) => namedIn(text).map((name) => ({ file, name })));
		const wrong = named.filter(({ name }) => !NAMES.has(name) && !OTHER_WORDS.has(name));
		expect(wrong).toEqual([]);
		expect(named.map(({ name }) => name)).toEqual(
			expect.arrayContaining(["caFile", "maxMode", "maxBodyMiB", "maxTurns"]),
		);
	});

	it("is one of the table where it is filled into a text", () => {
		const filledIn = TEXTS.filter(({ property }) => property === "setting").map(({ text }) => text);
		expect(filledIn).toContain("maxAnswerMiB");
		expect(filledIn.filter((name) => !NAMES.has(name))).toEqual([]);
	});

	it("is one of the table where a next step names it without calling it a setting", () => {
		const steps = [
			...TEXTS.filter(({ property }) => property === "nextStep").map(({ text }) => text),
			...Object.values(ERROR_KINDS).map(({ nextStep }) => nextStep),
		];
		expect(steps.length).toBeGreaterThan(100);
		expect(steps.flatMap(camelCased).filter((name) => !NAMES.has(name))).toEqual([]);
		// Somewhere in the configuration is nowhere: the setting has a name.
		expect(steps.filter((step) => step.includes("in the configuration"))).toEqual([]);
	});

	it("has the variable that is named", () => {
		const variables = TEXTS.flatMap(({ text }) => text.match(/\bCURSORWIRE_[A-Z0-9_]+/g) ?? []);
		expect(variables).toContain("CURSORWIRE_KEY");
		// The mark of a launch is set by the program and read by nobody's settings.
		expect(variables.filter((name) => !VARIABLES.has(name) && name !== LAUNCH_MARK)).toEqual([]);
	});
});
