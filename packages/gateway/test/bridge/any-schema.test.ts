import { Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ToolDefinition } from "../../src/turn/request.ts";
import { decide, decoded, type ExecInit } from "./bridging.ts";
import { CLIENTS, tool } from "./client-tools.ts";

const ajv = new Ajv({ strict: false, validateFormats: false, ownProperties: true, logger: false });

interface Case {
	request: ExecInit;
	tools: string;
	/** Parameters that a fitting tool has, each in some spelling. */
	parameters: string[];
}

const COMMAND = "command cmd commands";
const PATH = "path file_path filePath files paths";

const CASES: Case[] = [
	of(
		{ case: "shellArgs", value: { command: "ls -la | wc", workingDirectory: "/w", timeout: 1500 } },
		"bash run_command zap",
		COMMAND,
		"cwd directory",
	),
	of(
		{ case: "shellArgs", value: { command: "ls", isBackground: true } },
		"bash execute",
		COMMAND,
		"is_background mode",
	),
	of({ case: "shellStreamArgs", value: { command: "ls", timeout: 30_000 } }, "bash run_command execute", COMMAND),
	of({ case: "backgroundShellSpawnArgs", value: { command: "ls" } }, "bash", COMMAND, "is_background mode"),
	of({ case: "piBashArgs", value: { command: "ls", timeout: 1.5 } }, "bash run_command", COMMAND),
	of({ case: "readArgs", value: { path: "/w/a" } }, "Read read_file str_replace_editor", PATH),
	of(
		{ case: "readArgs", value: { path: "/w/a", offset: 3, limit: 4 } },
		"Read read_file",
		PATH,
		"offset start_line view_range",
		"limit end_line",
	),
	of({ case: "writeArgs", value: { path: "/w/a", fileText: "text" } }, "write_file create", PATH, "content text"),
	of({ case: "deleteArgs", value: { path: "/w/a" } }, "delete_file", PATH),
	of({ case: "lsArgs", value: { path: "/w", ignore: ["a", "b"] } }, "ls list_directory Read", "path directory"),
	of({ case: "piLsArgs", value: {} }, "ls list_directory", "path directory"),
	of(
		{ case: "grepArgs", value: { pattern: "x", glob: "*.ts", caseInsensitive: true, context: 2 } },
		"grep",
		"pattern query regex",
		"glob include",
		"-i",
	),
	of(
		{ case: "grepArgs", value: { pattern: "x", type: "ts", outputMode: "count", headLimit: 5 } },
		"grep search_files",
		"pattern query regex",
		"type glob",
	),
	of({ case: "grepArgs", value: { pattern: "", glob: "*.ts" } }, "glob find", "pattern glob query"),
	of({ case: "piFindArgs", value: { pattern: "*.ts", limit: 3 } }, "glob find", "pattern glob"),
	of(
		{ case: "piEditArgs", value: { path: "/w/a", edits: [{ oldText: "a", newText: "b" }] } },
		"edit str_replace_editor",
		PATH,
		"old_string",
		"new_string",
	),
	of(
		{
			case: "piEditArgs",
			value: {
				path: "/w/a",
				edits: [
					{ oldText: "a", newText: "b" },
					{ oldText: "", newText: "" },
				],
			},
		},
		"edit",
		PATH,
		"edits",
	),
	of({ case: "fetchArgs", value: { url: "https://a.example/" } }, "web_fetch", "url"),
];
const REQUESTS = CASES.map(({ request }) => request);

function of(request: ExecInit, tools: string, ...parameters: string[]): Case {
	return { request, tools, parameters };
}

// Names that mean something, names that mean nothing, and names that are traps.
const PARAMETERS = fc.constantFrom(
	..."command cmd commands path file_path filePath files paths directory cwd content text pattern query regex glob".split(
		" ",
	),
	..."include url prompt format timeout timeout_ms offset limit start_line end_line view_range edits old_string".split(
		" ",
	),
	..."new_string ignore recursive is_background description output_mode -i -n type action mode foo bar token".split(
		" ",
	),
	..."constructor toString hasOwnProperty".split(" "),
);
const DESCRIPTIONS = fc.constantFrom(
	"",
	"Runs a shell command.",
	"Reads a file or directory. By default up to 2000 lines.",
	"Writes a file.",
	"Edits text in files.",
	"Lists files in a directory.",
	"Searches file contents with a regex.",
	"Finds files by glob pattern.",
	"Fetches a URL.",
	"Timeout in milliseconds",
	"0-based line number, in seconds",
);

function schemas(depth: number): fc.Arbitrary<Record<string, unknown>> {
	const described = <T extends object>(schema: fc.Arbitrary<T>) =>
		fc.tuple(schema, DESCRIPTIONS).map(([inner, description]) => ({ ...inner, description }));
	const scalar = fc.oneof(
		fc.record({ type: fc.constantFrom("string", "number", "integer", "boolean", "null") }),
		fc.record({ type: fc.constant(["string", "null"]) }),
		fc.record({ type: fc.constant("string"), minLength: fc.nat(6), maxLength: fc.nat(9) }),
		fc.record({ type: fc.constant("string"), pattern: fc.constantFrom("^/", "^(a+)+$") }),
		fc.record({ type: fc.constant("string"), enum: fc.constant(["view", "create", "content", "async", "markdown"]) }),
		fc.record({
			type: fc.constant("integer"),
			minimum: fc.integer({ max: 5 }),
			maximum: fc.integer({ min: 1, max: 99 }),
		}),
		fc.record({ type: fc.constant("integer"), multipleOf: fc.constantFrom(2, 5), default: fc.constantFrom(4, 5, 10) }),
		fc.record({ const: fc.constantFrom("x", 1, null, true) }),
		fc.record({ $ref: fc.constant("#/definitions/a") }),
		fc.constant({}),
		fc.constant({ not: {} }),
	);
	if (depth === 0) return described(scalar);
	const inner = schemas(depth - 1);
	return described(
		fc.oneof(
			{ weight: 4, arbitrary: scalar },
			{ weight: 2, arbitrary: objects(depth - 1) },
			{
				weight: 2,
				arbitrary: fc.record({ type: fc.constant("array"), items: inner, minItems: fc.nat(2), maxItems: fc.nat(3) }),
			},
			{ weight: 1, arbitrary: fc.record({ anyOf: fc.array(inner, { minLength: 1, maxLength: 3 }) }) },
			{ weight: 1, arbitrary: fc.record({ oneOf: fc.array(inner, { minLength: 1, maxLength: 3 }) }) },
			{ weight: 1, arbitrary: fc.record({ allOf: fc.array(inner, { minLength: 1, maxLength: 2 }) }) },
		),
	);
}

function objects(depth: number, known: Record<string, unknown> = {}): fc.Arbitrary<Record<string, unknown>> {
	const others = fc.dictionary(PARAMETERS, schemas(depth), { maxKeys: 3, noNullPrototype: true });
	const closed = fc.option(fc.constantFrom<unknown>(true, false, { type: "string" }), { nil: undefined });
	const more = fc.constantFrom(
		{},
		{},
		{},
		{ minProperties: 2 },
		{ maxProperties: 2 },
		{ anyOf: [{ required: ["path"] }] },
	);
	return fc
		.tuple(others, fc.array(fc.nat(9), { maxLength: 3 }), closed, more)
		.map(([random, picks, additionalProperties, rest]) => {
			const properties = { ...random, ...known };
			const names = Object.keys(properties);
			const required = [...new Set(picks.map((pick) => names[pick % Math.max(names.length, 1)] ?? "other"))];
			return {
				type: "object",
				properties,
				required,
				...(additionalProperties !== undefined && { additionalProperties }),
				...rest,
			};
		});
}

const LIKELY: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
	{ weight: 4, arbitrary: fc.constant({ type: "string" }) },
	{ weight: 1, arbitrary: fc.constant({ type: ["string", "boolean", "integer"] }) },
	{ weight: 1, arbitrary: fc.constant({ type: "array", items: { type: "string" } }) },
	{ weight: 1, arbitrary: fc.constant({ type: "array", items: { type: "integer" }, minItems: 2 }) },
	{
		weight: 1,
		arbitrary: fc.constant({
			type: "array",
			items: { type: "object", properties: { old_string: {}, new_string: {}, path: {} } },
		}),
	},
	{ weight: 3, arbitrary: schemas(1) },
);

function toolsFor({ tools, parameters }: Case): fc.Arbitrary<ToolDefinition> {
	const named = fc.tuple(...parameters.map((names) => fc.tuple(fc.constantFrom(...names.split(" ")), LIKELY)));
	return fc
		.tuple(
			fc.constantFrom(...tools.split(" ")),
			DESCRIPTIONS,
			named.chain((known) => objects(1, Object.fromEntries(known))),
		)
		.map(([name, description, inputSchema]) => ({ name, description, inputSchema, kind: "function" }));
}

const SCENES = fc
	.constantFrom(...CASES)
	.chain((each) => fc.tuple(fc.constant(each.request), fc.array(toolsFor(each), { minLength: 1, maxLength: 3 })));

function subjectOf({ value }: ExecInit): string {
	const { command, path, url, pattern, glob } = value as Record<string, string | undefined>;
	return command || url || pattern || glob || path || ".";
}

describe("for any tool schema", () => {
	it("the arguments are valid, or the request is refused", () => {
		let bridged = 0;
		fc.assert(
			fc.property(SCENES, ([request, tools]) => {
				const decision = decide(request, tools);
				if (decision.kind !== "call") {
					expect(decision.kind).toBe("answer");
					return;
				}
				bridged++;
				const { toolName, arguments: args } = decision.call;
				const valid = tools.some(
					({ name, inputSchema }) => name === toolName && ajv.compile({ ...inputSchema, definitions: { a: {} } })(args),
				);
				expect(valid).toBe(true);
				// And they say what was asked for, not just something valid.
				expect(JSON.stringify(args)).toContain(JSON.stringify(subjectOf(request)).slice(1, -1));
				// The arguments travel as JSON.
				expect(JSON.parse(JSON.stringify(args))).toEqual(args);
			}),
			{ numRuns: 1000 },
		);
		// Else the property would hold by refusing everything.
		expect(bridged).toBeGreaterThan(150);
	});

	it("whatever a tool answers, the result can be sent", () => {
		const pieces = fc.constantFrom(
			"1→a",
			"a.ts:3:x",
			"99999999999:1",
			"a:99999999999:b",
			"exit code: 99999999999",
			"[DIR] x",
			"\n",
		);
		const texts = fc.oneof(
			fc.string(),
			fc.array(fc.oneof(pieces, fc.string()), { maxLength: 8 }).map((all) => all.join("\n")),
		);
		const sets = fc.constantFrom(...Object.values(CLIENTS));
		fc.assert(
			fc.property(sets, fc.constantFrom(...REQUESTS), texts, fc.boolean(), (tools, request, text, isError) => {
				const decision = decide(request, tools);
				if (decision.kind !== "call") return;
				expect(decoded(decision.call.answer({ text, images: [], isError })).length).toBeGreaterThan(0);
			}),
			{ numRuns: 1000 },
		);
	});
});

describe("hostile schemas", () => {
	const shell: ExecInit = { case: "shellArgs", value: { command: "ls" } };
	const string = { type: "string" };
	const DEEP = JSON.parse(`${'{"allOf":['.repeat(500)}{}${"]}".repeat(500)}`);

	it("a pattern is never run", () => {
		const bomb = { type: "string", pattern: "^(\\w+\\s?)*$" };
		const request: ExecInit = { case: "shellArgs", value: { command: `${"a".repeat(60)}!` } };
		expect(decide(request, [tool("bash", "", { command: bomb }, ["command"])]).kind).toBe("answer");
	});

	it("a reference is never followed", () => {
		const circle = tool("bash", "", { command: { $ref: "#/properties/command" } }, ["command"]);
		expect(decide(shell, [circle]).kind).toBe("answer");
		const aside = tool("bash", "", { command: string, timeout: { $ref: "#" } }, ["command"]);
		expect(decide(shell, [aside])).toMatchObject({ kind: "call", call: { arguments: { command: "ls" } } });
	});

	it("a parameter named __proto__ sets no prototype", () => {
		const inputSchema = JSON.parse(
			'{"type":"object","properties":{"command":{"type":"string"},"__proto__":{"const":{"polluted":true}}},"required":["command","__proto__"]}',
		);
		const trap: ToolDefinition = { name: "bash", description: "", kind: "function", inputSchema };
		expect(decide(shell, [trap]).kind).toBe("answer");
		expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
	});

	it.each<[string, Record<string, unknown>]>([
		["nothing", {}],
		["no properties", { type: "object" }],
		["another type", { type: "string" }],
		["wrong keywords", { type: "object", properties: ["command"], required: "command" }],
		["a wrong type", { type: "objet", properties: { command: string }, required: ["command"] }],
		["nested without end", { type: "object", properties: { command: DEEP }, required: ["command"] }],
	])("%s is refused", (_name, inputSchema) => {
		expect(decide(shell, [{ name: "bash", description: "", kind: "function", inputSchema }]).kind).toBe("answer");
	});

	it("a freeform tool is named and never called", () => {
		const exec: ToolDefinition = {
			...tool("exec", "Runs a shell command", { input: string }, ["input"]),
			kind: "freeform",
		};
		expect(JSON.stringify(decide(shell, [exec]))).toContain('\\"exec\\"');
		expect(decide(shell, [exec]).kind).toBe("answer");
	});

	it("a description of a megabyte costs nothing", () => {
		const long = tool("zap", `${"run ".repeat(250_000)}command`, { command: string }, ["command"]);
		expect(decide(shell, [long]).kind).toBe("answer");
	});
});

it("no request but a command becomes a command", () => {
	const shells = [CLIENTS.codex, CLIENTS.gooseLegacy.slice(0, 1)];
	for (const tools of shells) {
		for (const request of REQUESTS.filter(({ case: kind }) => !/shell|bash/i.test(kind ?? ""))) {
			expect(decide(request, tools).kind).toBe("answer");
		}
	}
});
