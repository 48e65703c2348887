import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ExecClientMessage, ExecServerMessageSchema, LsDirectoryTreeNode } from "@cursorwire/protocol/agent";
import type {
	ClientSideToolV2Call,
	EditFileParams,
	RipgrepSearchParams,
	RunTerminalCommandV2Params,
} from "@cursorwire/protocol/aiserver";
import type { IntentName } from "../../bridge/match/intents.ts";
import { type ResultInit, toolError } from "./results.ts";

type ToolCase = Extract<ClientSideToolV2Call["params"], { case: string }>;
export type ToolParams = ToolCase["value"];
type ParamsOf<C extends ToolCase["case"]> = Extract<ToolCase, { case: C }>["value"];
type ExecRequest = MessageInitShape<typeof ExecServerMessageSchema>["message"];
type Answer = ExecClientMessage["message"];

/** One of Cursor's own tools. Without a `request` no tool of a client stands for it. */
export interface ClientTool<Params> {
	/** What it is after, so that a refusal can name the tool to use. */
	intent?: IntentName;
	/** The agent protocol's request for the same; a text where these parameters have none, saying why. */
	request?(params: Params): ExecRequest | string;
	/** The answer to that request in this tool's own type. */
	result?(answer: Answer, params: Params): ResultInit;
}

/** Cursor's own tools by their parameters. Those that are not here are refused in general words. */
export const CLIENT_TOOLS: { readonly [C in ToolCase["case"]]?: ClientTool<ParamsOf<C>> } = {
	readFileParams: {
		intent: "read",
		request: ({
			relativeWorkspacePath: path,
			readEntireFile,
			startLineOneIndexed: start,
			endLineOneIndexedInclusive: end,
		}) => {
			const isPart = !readEntireFile && start !== undefined;
			const limit = end === undefined ? undefined : Math.max(1, end - (start ?? 1) + 1);
			return { case: "readArgs", value: { path, ...(isPart && { offset: start, limit }) } };
		},
		result: (answer, { relativeWorkspacePath }) => {
			const read = readContent(answer);
			if (typeof read !== "object") return toolError(read);
			const { contents, totalLines, isWhole } = read;
			const value = { contents, relativeWorkspacePath, totalLines, readFullFile: isWhole };
			return { result: { case: "readFileResult", value } };
		},
	},
	readFileV2Params: {
		intent: "read",
		request: ({ targetFile: path, offset, limit }) => ({ case: "readArgs", value: { path, offset, limit } }),
		result: (answer) => {
			const read = readContent(answer);
			if (typeof read !== "object") return toolError(read);
			const { contents, totalLines } = read;
			const value = { contents, numCharactersInRequestedRange: contents.length, totalLinesInFile: totalLines };
			return { result: { case: "readFileV2Result", value } };
		},
	},
	listDirParams: {
		intent: "list",
		request: ({ directoryPath: path }) => ({ case: "lsArgs", value: { path } }),
		result: (answer, { directoryPath: directoryRelativeWorkspacePath }) => {
			const root = listedTree(answer);
			if (typeof root !== "object") return toolError(root);
			const files = [
				...root.childrenDirs.map(({ absPath }) => ({ name: lastName(absPath), isDirectory: true })),
				...root.childrenFiles.map(({ name }) => ({ name, isDirectory: false })),
			];
			return { result: { case: "listDirResult", value: { files, directoryRelativeWorkspacePath } } };
		},
	},
	listDirV2Params: {
		intent: "list",
		request: ({ targetDirectory: path, ignoreGlobs: ignore }) => ({ case: "lsArgs", value: { path, ignore } }),
		result: (answer) => {
			const root = listedTree(answer);
			if (typeof root !== "object") return toolError(root);
			return { result: { case: "listDirV2Result", value: { directoryTreeRoot: treeNode(root) } } };
		},
	},
	editFileParams: {
		intent: "edit",
		request: editRequest,
		result: (answer) => {
			const failure = failureIn(answer);
			return failure ? toolError(failure) : { result: { case: "editFileResult", value: { isApplied: true } } };
		},
	},
	editFileV2Params: {
		intent: "edit",
		request: ({ relativeWorkspacePath: path, contentsAfterEdit: fileText }) =>
			fileText === undefined ? "" : { case: "writeArgs", value: { path, fileText } },
		result: (answer, { contentsAfterEdit }) => {
			const failure = failureIn(answer);
			return failure ? toolError(failure) : { result: { case: "editFileV2Result", value: { contentsAfterEdit } } };
		},
	},
	deleteFileParams: {
		intent: "delete",
		request: ({ relativeWorkspacePath: path }) => ({ case: "deleteArgs", value: { path } }),
		result: (answer) => {
			const isMissing = answer.case === "deleteResult" && answer.value.result.case === "fileNotFound";
			if (isMissing) return { result: { case: "deleteFileResult", value: { fileNonExistent: true } } };
			const failure = failureIn(answer);
			if (failure) return toolError(failure);
			return { result: { case: "deleteFileResult", value: { fileDeletedSuccessfully: true } } };
		},
	},
	runTerminalCommandV2Params: { intent: "run", request: terminalRequest, result: terminalResult },
	ripgrepRawSearchParams: {
		intent: "search",
		request: ({ $typeName: _, ignoreGlobs: __, ...same }) => ({ case: "grepArgs", value: same }),
		result: (answer) => {
			const found = searchSuccess(answer);
			if (typeof found !== "object") return toolError(found);
			const { pattern, path, outputMode, workspaceResults } = found;
			const unions = Object.entries(workspaceResults).map(([folder, { result }]) => [
				folder,
				{ result: plain(result) },
			]);
			const value = { pattern, path, outputMode, workspaceResults: Object.fromEntries(unions) };
			return { result: { case: "ripgrepRawSearchResult", value: { result: { case: "success", value } } } };
		},
	},
	ripgrepSearchParams: {
		intent: "search",
		request: (params) => ({ case: "grepArgs", value: { ...patternOf(params), outputMode: "content" } }),
		result: (answer) => {
			const found = searchSuccess(answer);
			if (typeof found !== "object") return toolError(found);
			return { result: { case: "ripgrepSearchResult", value: { internal: { results: fileMatches(found) } } } };
		},
	},
	globFileSearchParams: {
		intent: "find",
		request: ({ targetDirectory: path, globPattern: glob }) => ({ case: "grepArgs", value: { path, glob } }),
		result: (answer, { targetDirectory: absPath }) => {
			const files = foundFiles(answer);
			if (typeof files !== "object") return toolError(files);
			const directory = { absPath, files: files.map((relPath) => ({ relPath })), totalFiles: files.length };
			return { result: { case: "globFileSearchResult", value: { directories: [directory] } } };
		},
	},
	fileSearchParams: {
		intent: "find",
		request: ({ query }) => ({ case: "grepArgs", value: { glob: `**/*${query}*` } }),
		result: (answer) => {
			const files = foundFiles(answer);
			if (typeof files !== "object") return toolError(files);
			const value = { files: files.map((uri) => ({ uri })), numResults: files.length };
			return { result: { case: "fileSearchResult", value } };
		},
	},
	// Cursor's index of the code is not here; a search for words is the nearest.
	semanticSearchFullParams: { intent: "search" },
	readSemsearchFilesParams: { intent: "search" },
	searchSymbolsParams: { intent: "search" },
	gotodefParams: { intent: "search" },
	deepSearchParams: { intent: "search" },
	reapplyParams: { intent: "edit" },
};

/** What failed, in words; undefined where nothing did. */
function failureIn({ value }: Answer): string | undefined {
	const outcome = value as { result?: { case?: string; value?: { error?: string; reason?: string; path?: string } } };
	const { case: kind, value: details } = outcome?.result ?? {};
	if (kind === "success") return undefined;
	const words = (kind ?? "failed").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
	return details?.error || details?.reason || [words, details?.path].filter((part) => part).join(": ");
}

function readContent(answer: Answer): string | { contents: string; totalLines: number; isWhole: boolean } {
	if (answer.case !== "readResult" || answer.value.result.case !== "success") return failureIn(answer) ?? "";
	const { output, totalLines, rangeApplied } = answer.value.result.value;
	if (output.case === "data") return "This file is no text.";
	return { contents: output.value ?? "", totalLines, isWhole: !rangeApplied };
}

function listedTree(answer: Answer): string | LsDirectoryTreeNode {
	const result = answer.case === "lsResult" ? answer.value.result : undefined;
	const root = result?.case === "success" ? result.value.directoryTreeRoot : undefined;
	return root ?? failureIn(answer) ?? "";
}

interface TreeNode {
	absPath: string;
	childrenDirs: TreeNode[];
	childrenFiles: { name: string }[];
	childrenWereProcessed: boolean;
	numFiles: number;
}

function treeNode({
	absPath,
	childrenDirs,
	childrenFiles,
	childrenWereProcessed,
	numFiles,
}: LsDirectoryTreeNode): TreeNode {
	const files = childrenFiles.map(({ name }) => ({ name }));
	return { absPath, childrenDirs: childrenDirs.map(treeNode), childrenFiles: files, childrenWereProcessed, numFiles };
}

const lastName = (path: string) => path.split("/").at(-1) ?? path;

const SKETCH = /\.\.\. *existing code|existing code *\.\.\./i;

/** A replacement, or a whole file. A sketch that leaves parts out is for Cursor's own editor: written, it would lose them. */
function editRequest(params: EditFileParams): ExecRequest | string {
	const { relativeWorkspacePath: path, contents, oldString: oldText, newString: newText = "" } = params;
	if (oldText !== undefined && oldText !== "") {
		if (params.allowMultipleMatches) return "Make one call for each replacement.";
		return { case: "piEditArgs", value: { path, edits: [{ oldText, newText }] } };
	}
	if (SKETCH.test(contents)) return "It takes whole files and exact replacements only.";
	return { case: "writeArgs", value: { path, fileText: contents } };
}

function terminalRequest(params: RunTerminalCommandV2Params): ExecRequest {
	const { command, cwd: workingDirectory = "", commandDescription: description, options, isBackground } = params;
	if (isBackground) return { case: "backgroundShellSpawnArgs", value: { command, workingDirectory, description } };
	const timeout = options?.commandRunTimeoutMs ?? options?.timeout ?? 0;
	return { case: "shellArgs", value: { command, workingDirectory, description, timeout } };
}

function terminalResult(answer: Answer): ResultInit {
	const result = answer.case === "shellResult" ? answer.value.result : undefined;
	if (result?.case === "success" || result?.case === "failure") {
		const { stdout, stderr, exitCode, workingDirectory } = result.value;
		const output = [stdout, stderr].filter((text) => text !== "").join("\n");
		const value = {
			output,
			outputRaw: output,
			exitCode,
			exitCodeV2: exitCode,
			notInterrupted: true,
			resultingWorkingDirectory: workingDirectory,
		};
		return { result: { case: "runTerminalCommandV2Result", value } };
	}
	const failure = failureIn(answer);
	if (failure) return toolError(failure);
	return { result: { case: "runTerminalCommandV2Result", value: { isRunningInBackground: true } } };
}

type GrepSuccess = Extract<Extract<Answer, { case: "grepResult" }>["value"]["result"], { case: "success" }>["value"];

function searchSuccess(answer: Answer): string | GrepSuccess {
	const result = answer.case === "grepResult" ? answer.value.result : undefined;
	return result?.case === "success" ? result.value : (failureIn(answer) ?? "");
}

type Union = GrepSuccess["workspaceResults"][string]["result"];

/** Both protocols have these messages, field by field the same and under two names. */
function plain(union: Union) {
	switch (union.case) {
		case "count": {
			const { $typeName: _, counts, ...same } = union.value;
			return { case: union.case, value: { ...same, counts: counts.map(({ file, count }) => ({ file, count })) } };
		}
		case "files": {
			const { $typeName: _, files, totalFiles, clientTruncated, ripgrepTruncated } = union.value;
			return { case: union.case, value: { files, totalFiles, clientTruncated, ripgrepTruncated } };
		}
		case "content": {
			const { totalLines, totalMatchedLines, clientTruncated, ripgrepTruncated } = union.value;
			const matches = union.value.matches.map(({ file, matches: lines }) => ({ file, matches: lines.map(plainLine) }));
			const value = { matches, totalLines, totalMatchedLines, clientTruncated, ripgrepTruncated };
			return { case: union.case, value };
		}
		default:
			return { case: undefined };
	}
}

function plainLine(line: { lineNumber: number; content: string; contentTruncated: boolean; isContextLine: boolean }) {
	const { lineNumber, content, contentTruncated, isContextLine } = line;
	return { lineNumber, content, contentTruncated, isContextLine };
}

function patternOf({ patternInfo, options }: RipgrepSearchParams) {
	const { pattern = "", isRegExp = true, isCaseSensitive, isMultiline } = patternInfo ?? {};
	const include = options?.includePattern;
	const glob = include?.pattern || include?.patterns[0];
	return {
		pattern: isRegExp ? pattern : pattern.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"),
		...(glob && { glob }),
		...(isCaseSensitive === false && { caseInsensitive: true }),
		...(isMultiline && { multiline: true }),
		...(options?.maxResults && { headLimit: options.maxResults }),
	};
}

function fileMatches({ workspaceResults }: GrepSuccess) {
	return Object.values(workspaceResults).flatMap(({ result }) => {
		if (result.case === "files") return result.value.files.map((resource) => ({ resource, results: [] }));
		if (result.case !== "content") return [];
		return result.value.matches.map(({ file: resource, matches }) => ({
			resource,
			results: matches.map(({ lineNumber, content, isContextLine }) => ({
				result: isContextLine
					? { case: "context" as const, value: { text: content, lineNumber } }
					: {
							case: "match" as const,
							value: {
								previewText: content,
								rangeLocations: [{ source: { startLineNumber: lineNumber, endLineNumber: lineNumber } }],
							},
						},
			})),
		}));
	});
}

function foundFiles(answer: Answer): string | string[] {
	const found = searchSuccess(answer);
	if (typeof found !== "object") return found;
	return Object.values(found.workspaceResults).flatMap(({ result }) =>
		result.case === "files" ? result.value.files : [],
	);
}
