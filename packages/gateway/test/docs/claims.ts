// The documents, and what they name in backticks: each of these can be looked up in the source.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

export interface Document {
	path: string;
	text: string;
}

function filesBelow(folder: string, ending: RegExp): string[] {
	return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
		.map((name) => join(folder, name))
		.filter((path) => ending.test(path) && !path.includes("node_modules"));
}

/** Those that a user or a contributor reads. The changelog tells of former times. */
export const DOCUMENTS: Document[] = [
	...readdirSync(ROOT).filter((name) => name.endsWith(".md") && name !== "CHANGELOG.md"),
	...filesBelow("docs", /\.md$/),
	"packages/gateway/README.md",
	"packages/emulator/README.md",
	"packages/opencode/README.md",
].map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));

/** All sources that are not tests, in one text. */
export const SOURCES: string = ["packages", "scripts", "bench"]
	.flatMap((folder) => filesBelow(folder, /\.(ts|mjs|js)$/))
	.filter((path) => !/\.test\.ts$|\/test\/|\/gen\/|\/dist\//.test(path))
	.map((path) => readFileSync(join(ROOT, path), "utf8"))
	.join("\n");

/** Pieces of code in the text of a document: what stands in single backticks. */
export function codeIn(text: string): string[] {
	const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, "");
	return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);
}

/** Where a path that a document names may begin. */
const BASES = ["", "docs", "packages/gateway", "packages/gateway/src", "packages/emulator/src", "packages/protocol"];

/** Paths of the repository in a piece of code: with a folder, and the ending of a file that we have. */
export function pathIn(code: string): string | undefined {
	return /^(?:[\w.-]+\/)+[\w.-]+\.(?:ts|mjs|yml|md|svg|proto)$/.test(code) ? code : undefined;
}

export const isThere = (path: string, document: Document): boolean =>
	[dirname(document.path), ...BASES].some((base) => existsSync(join(ROOT, base, path)));

/** Links into documents, by the file and the anchor in it. */
export function anchorsIn({ path, text }: Document): { file: string; anchor: string }[] {
	return [...text.matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)].map(([, file, anchor]) => ({
		file: file === "" ? path : join(dirname(path), file!),
		anchor: anchor!,
	}));
}

/** The anchors that GitHub makes of a document's headings. */
export function headingsOf(text: string): Set<string> {
	const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
		heading!
			.toLowerCase()
			.replaceAll(/[^\p{L}\p{N} _-]/gu, "")
			.replaceAll(" ", "-"),
	);
	return new Set(headings);
}
