import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import {
	ClientSideToolV2,
	ClientSideToolV2CallSchema,
	ClientSideToolV2ResultSchema,
} from "@cursorwire/protocol/aiserver";
import { describe, expect, it } from "vitest";
import type { ToolDefinition } from "../../../turn/request.ts";
import { ToolNames } from "../../writing/tool-names.ts";
import { bridgeClientTool } from "./client-tools.ts";
import type { ResultInit } from "./results.ts";

const text = { type: "string" };
const tool = (name: string, properties: object, required: string[]): ToolDefinition => ({
	name,
	description: "",
	inputSchema: { type: "object", properties, required },
	kind: "function",
});
const TOOLS = [
	tool("bash", { command: text, workdir: text }, ["command"]),
	tool("read", { filePath: text, offset: { type: "number" }, limit: { type: "number" } }, ["filePath"]),
	tool("write", { filePath: text, content: text }, ["filePath", "content"]),
	tool("edit", { filePath: text, oldString: text, newString: text }, ["filePath", "oldString", "newString"]),
	tool("delete_file", { path: text }, ["path"]),
	tool("list_dir", { path: text }, ["path"]),
	tool("grep", { pattern: text, path: text, include: text }, ["pattern"]),
	tool("glob", { pattern: text, path: text }, ["pattern"]),
];
const NAMES = new ToolNames(TOOLS);

type Params = MessageInitShape<typeof ClientSideToolV2CallSchema>["params"];
const call = (tool: ClientSideToolV2, params?: Params) => create(ClientSideToolV2CallSchema, { tool, params });

/** The result as it goes over the wire and back. */
function onWire(result: ResultInit) {
	const message = create(ClientSideToolV2ResultSchema, result);
	return fromBinary(ClientSideToolV2ResultSchema, toBinary(ClientSideToolV2ResultSchema, message));
}

interface Row {
	params: Params;
	/** The call that the client gets. */
	calls: [name: string, args: object];
	/** What its tool prints, and what Cursor then gets. */
	printed: string;
	result: object;
}

const T = ClientSideToolV2;
const ROWS: Record<string, [ClientSideToolV2, Row]> = {
	"a file": [
		T.READ_FILE,
		{
			params: { case: "readFileParams", value: { relativeWorkspacePath: "a.txt", readEntireFile: true } },
			calls: ["read", { filePath: "a.txt" }],
			printed: "one\ntwo\n",
			result: { case: "readFileResult", value: { contents: "one\ntwo\n", readFullFile: true } },
		},
	],
	"a part of a file": [
		T.READ_FILE,
		{
			params: {
				case: "readFileParams",
				value: { relativeWorkspacePath: "a.txt", startLineOneIndexed: 3, endLineOneIndexedInclusive: 4 },
			},
			calls: ["read", { filePath: "a.txt", offset: 3, limit: 2 }],
			printed: "three\nfour\n",
			result: { case: "readFileResult", value: { contents: "three\nfour\n", readFullFile: false } },
		},
	],
	"a file, in the newer form": [
		T.READ_FILE_V2,
		{
			params: { case: "readFileV2Params", value: { targetFile: "a.txt" } },
			calls: ["read", { filePath: "a.txt" }],
			printed: "one\n",
			result: { case: "readFileV2Result", value: { contents: "one\n", numCharactersInRequestedRange: 4 } },
		},
	],
	"a directory": [
		T.LIST_DIR,
		{
			params: { case: "listDirParams", value: { directoryPath: "src" } },
			calls: ["list_dir", { path: "src" }],
			printed: "lib/\na.ts\n",
			result: {
				case: "listDirResult",
				value: {
					files: [
						{ name: "lib", isDirectory: true },
						{ name: "a.ts", isDirectory: false },
					],
				},
			},
		},
	],
	"a tree": [
		T.LIST_DIR_V2,
		{
			params: { case: "listDirV2Params", value: { targetDirectory: "src" } },
			calls: ["list_dir", { path: "src" }],
			printed: "lib/\nlib/b.ts\na.ts\n",
			result: {
				case: "listDirV2Result",
				value: {
					directoryTreeRoot: {
						absPath: "src",
						childrenFiles: [{ name: "a.ts" }],
						childrenDirs: [{ absPath: "src/lib", childrenFiles: [{ name: "b.ts" }] }],
					},
				},
			},
		},
	],
	"a whole new file": [
		T.EDIT_FILE,
		{
			params: { case: "editFileParams", value: { relativeWorkspacePath: "n.txt", contents: "new\n" } },
			calls: ["write", { filePath: "n.txt", content: "new\n" }],
			printed: "Wrote n.txt",
			result: { case: "editFileResult", value: { isApplied: true } },
		},
	],
	"a replacement": [
		T.EDIT_FILE,
		{
			params: { case: "editFileParams", value: { relativeWorkspacePath: "n.txt", oldString: "a", newString: "b" } },
			calls: ["edit", { filePath: "n.txt", oldString: "a", newString: "b" }],
			printed: "Done",
			result: { case: "editFileResult", value: { isApplied: true } },
		},
	],
	"a file after an edit": [
		T.EDIT_FILE_V2,
		{
			params: { case: "editFileV2Params", value: { relativeWorkspacePath: "n.txt", contentsAfterEdit: "x" } },
			calls: ["write", { filePath: "n.txt", content: "x" }],
			printed: "ok",
			result: { case: "editFileV2Result", value: { contentsAfterEdit: "x" } },
		},
	],
	"a deletion": [
		T.DELETE_FILE,
		{
			params: { case: "deleteFileParams", value: { relativeWorkspacePath: "n.txt" } },
			calls: ["delete_file", { path: "n.txt" }],
			printed: "Deleted.",
			result: { case: "deleteFileResult", value: { fileDeletedSuccessfully: true } },
		},
	],
	"a deletion of nothing": [
		T.DELETE_FILE,
		{
			params: { case: "deleteFileParams", value: { relativeWorkspacePath: "n.txt" } },
			calls: ["delete_file", { path: "n.txt" }],
			printed: "Error: no such file n.txt",
			result: { case: "deleteFileResult", value: { fileNonExistent: true } },
		},
	],
	"a command": [
		T.RUN_TERMINAL_COMMAND_V2,
		{
			params: { case: "runTerminalCommandV2Params", value: { command: "false", cwd: "/w" } },
			calls: ["bash", { command: "false", workdir: "/w" }],
			printed: '{"stdout":"out","stderr":"err","exit_code":3}',
			result: { case: "runTerminalCommandV2Result", value: { output: "out\nerr", exitCode: 3, exitCodeV2: 3 } },
		},
	],
	"a search": [
		T.RIPGREP_RAW_SEARCH,
		{
			params: { case: "ripgrepRawSearchParams", value: { pattern: "x.y", path: "src" } },
			calls: ["grep", { pattern: "x.y", path: "src" }],
			printed: "src/a.ts:3:xxy\n",
			result: {
				case: "ripgrepRawSearchResult",
				value: {
					result: {
						case: "success",
						value: {
							pattern: "x.y",
							workspaceResults: {
								src: {
									result: {
										case: "content",
										value: { matches: [{ file: "src/a.ts", matches: [{ lineNumber: 3, content: "xxy" }] }] },
									},
								},
							},
						},
					},
				},
			},
		},
	],
	"a search of the oldest kind, for a text": [
		T.RIPGREP_SEARCH,
		{
			params: {
				case: "ripgrepSearchParams",
				value: { patternInfo: { pattern: "a.b", isRegExp: false }, options: { includePattern: { pattern: "*.ts" } } },
			},
			calls: ["grep", { pattern: "a\\.b", include: "*.ts" }],
			printed: "a.ts:7:a.b\n",
			result: {
				case: "ripgrepSearchResult",
				value: {
					internal: {
						results: [
							{
								resource: "a.ts",
								results: [
									{
										result: {
											case: "match",
											value: { previewText: "a.b", rangeLocations: [{ source: { startLineNumber: 7 } }] },
										},
									},
								],
							},
						],
					},
				},
			},
		},
	],
	"files by a pattern": [
		T.GLOB_FILE_SEARCH,
		{
			params: { case: "globFileSearchParams", value: { targetDirectory: "src", globPattern: "**/*.ts" } },
			calls: ["glob", { pattern: "**/*.ts", path: "src" }],
			printed: "src/a.ts\nsrc/b.ts\n",
			result: {
				case: "globFileSearchResult",
				value: {
					directories: [{ absPath: "src", files: [{ relPath: "src/a.ts" }, { relPath: "src/b.ts" }], totalFiles: 2 }],
				},
			},
		},
	],
	"files by a part of their name": [
		T.FILE_SEARCH,
		{
			params: { case: "fileSearchParams", value: { query: "conf" } },
			calls: ["glob", { pattern: "**/*conf*" }],
			printed: "src/config.ts\n",
			result: { case: "fileSearchResult", value: { files: [{ uri: "src/config.ts" }], numResults: 1 } },
		},
	],
};

describe("a tool of Cursor's own is the client's of that meaning, and its result is of its own type", () => {
	it.each(Object.entries(ROWS))("%s", (_name, [tool, { params, calls, printed, result }]) => {
		const decision = bridgeClientTool(call(tool, params), TOOLS, NAMES);
		if (decision.kind !== "call") throw new Error(JSON.stringify(decision));
		expect([decision.call.toolName, decision.call.arguments]).toEqual(calls);
		const answered = onWire(decision.call.answer({ text: printed, images: [], isError: false }));
		expect(answered.error).toBeUndefined();
		expect(answered.result).toMatchObject(result);
	});

	it.each(Object.entries(ROWS).filter(([, [tool]]) => tool !== T.RUN_TERMINAL_COMMAND_V2))(
		"%s that fails says so to the model",
		(_name, [tool, { params }]) => {
			const decision = bridgeClientTool(call(tool, params), TOOLS, NAMES);
			if (decision.kind !== "call") throw new Error("not bridged");
			const answered = onWire(decision.call.answer({ text: "Error: permission denied", images: [], isError: true }));
			expect(answered.result.case).toBeUndefined();
			expect(answered.error?.modelVisibleErrorMessage).toMatch(/denied/i);
		},
	);
});

describe("a tool that no client's stands for", () => {
	it.each([
		[
			"a search by meaning",
			T.SEMANTIC_SEARCH_FULL,
			{ case: "semanticSearchFullParams", value: { query: "q" } },
			"grep",
		],
		[
			"a sketch of an edit, which would lose what it leaves out",
			T.EDIT_FILE,
			{ case: "editFileParams", value: { relativeWorkspacePath: "a", contents: "// ... existing code ...\nx" } },
			"edit",
		],
		[
			"a replacement everywhere",
			T.EDIT_FILE,
			{
				case: "editFileParams",
				value: { relativeWorkspacePath: "a", oldString: "a", newString: "b", allowMultipleMatches: true },
			},
			"edit",
		],
	] as [string, ClientSideToolV2, Params, string][])("%s names the tool to use", (_name, tool, params, instead) => {
		const decision = bridgeClientTool(call(tool, params), TOOLS, NAMES);
		if (decision.kind !== "answer") throw new Error("it was taken");
		expect(onWire(decision.result).error?.modelVisibleErrorMessage).toContain(`Call the tool "${instead}" instead.`);
	});

	it("is refused, every one of the enum, and counted where it is not of it", () => {
		for (const tool of Object.values(ClientSideToolV2)) {
			const { kind } = bridgeClientTool(call(tool), [], new ToolNames([]));
			expect([tool, kind]).toEqual([tool, tool === T.UNSPECIFIED ? "unknown" : "answer"]);
		}
		expect(bridgeClientTool(call(999 as ClientSideToolV2), TOOLS, NAMES).kind).toBe("unknown");
	});
});
