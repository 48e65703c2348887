// Every command that a document or a text of the program names.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

export const ROOT = fileURLToPath(new URL("../../../../..", import.meta.url));

/** A name alone, such as `curl`, is no command. */
const COMMAND =
	/^(?:cursorwire|cursorwire-emulator|npx|npm|docker|curl|openssl|node|eval|export|opencode) (?![\s=:])\S/;
const IN_BACKTICKS = /`([^`\n]+)`/g;

export const DOCUMENTS = [
	...readdirSync(ROOT).filter((name) => name.endsWith(".md")),
	...filesBelow("docs", ".md"),
	...readdirSync(join(ROOT, "packages")).map((name) => join("packages", name, "README.md")),
].filter((document) => read(document) !== undefined);

const SOURCES = ["gateway", "emulator", "opencode"].flatMap((name) =>
	filesBelow(join("packages", name, "src"), ".ts").filter((file) => !file.endsWith(".test.ts")),
);

export interface Block {
	document: string;
	language: string;
	text: string;
}

export const BLOCKS: Block[] = DOCUMENTS.flatMap((document) =>
	[...read(document)!.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({
		document,
		language: language!,
		text: text!,
	})),
);

/** The commands in backticks in a text. */
export function commandsIn(text: string): string[] {
	return [...text.matchAll(IN_BACKTICKS)].map(([, code]) => code!.trim()).filter((code) => COMMAND.test(code));
}

/** Each command, with the files that name it. */
export function collectCommands(): Map<string, string[]> {
	const found = new Map<string, string[]>();
	const add = (command: string, file: string) => found.set(command, [...(found.get(command) ?? []), file]);
	for (const { document, language, text } of BLOCKS) {
		if (language !== "sh") continue;
		for (const line of text.trim().split("\n")) if (!line.startsWith("#")) add(line, document);
	}
	for (const document of DOCUMENTS) {
		const prose = read(document)!.replace(/^(```|~~~)[\s\S]*?^\1$/gm, "");
		for (const command of commandsIn(prose)) add(command, document);
	}
	for (const file of SOURCES) {
		for (const text of stringsIn(file)) for (const command of commandsIn(text)) add(command, file);
	}
	return found;
}

/** The texts in a source file, with `${…}` where a value is put in. */
function stringsIn(file: string): string[] {
	const source = read(file)!;
	if (!/`(?:cursorwire|npx|npm|docker|curl|node|export|opencode) /.test(source)) return [];
	const texts: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isStringLiteralLike(node)) texts.push(node.text);
		else if (ts.isTemplateExpression(node)) {
			const spans = node.templateSpans.map((span) => `\${${span.expression.getText()}}${span.literal.text}`);
			texts.push(node.head.text + spans.join(""));
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
	return texts;
}

function filesBelow(folder: string, ending: string): string[] {
	return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
		.filter((name) => name.endsWith(ending))
		.map((name) => join(folder, name));
}

export function read(file: string): string | undefined {
	try {
		return readFileSync(join(ROOT, file), "utf8");
	} catch {
		return undefined;
	}
}
