// `npm run drift` with made-up SDKs: what is changed in them is found, named, and judged.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import facts from "../facts.json" with { type: "json" };
// @ts-expect-error: a script without types
import { compare } from "../scripts/drift/compare.mjs";
// @ts-expect-error: a script without types
import { protoFields } from "../scripts/drift/proto-fields.mjs";
// @ts-expect-error: a script without types
import { report } from "../scripts/drift/report.mjs";
// @ts-expect-error: a script without types
import { extractSchema } from "../scripts/extract/extract.mjs";
import { type Field, makeSdk, type Schema, schemaOfFacts } from "./kit/made-up-sdk.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const folders: string[] = [];
afterAll(() => {
	for (const folder of folders) rmSync(dirname(folder), { recursive: true, force: true });
});

function madeUp(change: (schema: Schema) => void): string {
	const schema = schemaOfFacts();
	change(schema);
	const folder = makeSdk(schema);
	folders.push(folder);
	return folder;
}

const field = (schema: Schema, type: string, name: string): Field =>
	schema.messages[type]!.find((each) => each.name === name)!;

function drift(args: string[], env: Record<string, string> = {}) {
	const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", "scripts/drift.mjs", ...args], {
		cwd: ROOT,
		encoding: "utf8",
		env: { ...process.env, ...env },
	});
	return { status, stdout, stderr };
}

const used: Set<string> = protoFields();

/** Takes a made-up SDK apart and tells what was found, as a person would read it. */
function found(change: (schema: Schema) => void): { lines: string[]; text: string } {
	const { version, schema } = extractSchema(madeUp(change));
	const text: string = report(
		compare(facts, schema, (path: string) => used.has(path)),
		{ facts, version },
	);
	return { lines: text.split("\n").filter((line) => line.startsWith("  ")), text };
}

describe("an SDK that", () => {
	it("is what the facts say differs in nothing", () => {
		expect(found(() => {}).text).toContain("no difference");
	});

	const cases: [what: string, change: (schema: Schema) => void, line: string][] = [
		[
			"changes the number of a field",
			(schema) => {
				field(schema, "agent.v1.TextDeltaUpdate", "text").no = 9;
			},
			"  ! ~ agent.v1.TextDeltaUpdate.text = 1 (string) → agent.v1.TextDeltaUpdate.text = 9 (string)",
		],
		[
			"changes the type of a field",
			(schema) => {
				field(schema, "agent.v1.TokenDeltaUpdate", "tokens").type = "int64";
			},
			"  ! ~ agent.v1.TokenDeltaUpdate.tokens = 1 (int32) → agent.v1.TokenDeltaUpdate.tokens = 1 (int64)",
		],
		[
			"changes the cardinality of a field",
			(schema) => {
				field(schema, "agent.v1.AssistantMessage", "text").repeated = true;
			},
			"  ! ~ agent.v1.AssistantMessage.text = 1 (string) → agent.v1.AssistantMessage.text = 1 (repeated string)",
		],
		[
			"drops a field that is used",
			(schema) => {
				schema.messages["agent.v1.UserMessage"] = schema.messages["agent.v1.UserMessage"]!.filter(({ no }) => no !== 1);
			},
			"  ! - agent.v1.UserMessage.text = 1 (string)",
		],
		[
			"can send a kind of exec that nobody knows",
			(schema) => {
				const kind = { no: 999, name: "dream_args", kind: "message", type: "agent.v1.ReadArgs", oneof: "message" };
				schema.messages["agent.v1.ExecServerMessage"]!.push(kind);
			},
			"  ! + agent.v1.ExecServerMessage.dream_args = 999 (agent.v1.ReadArgs in message)",
		],
		[
			"has a new field elsewhere on the stream",
			(schema) => {
				schema.messages["agent.v1.UserMessage"]!.push({ no: 999, name: "mood", kind: "scalar", type: "string" });
			},
			"    + agent.v1.UserMessage.mood = 999 (string)",
		],
		[
			"has a new value of an enum",
			(schema) => {
				schema.enums["agent.v1.AgentMode"]!.AGENT_MODE_DREAM = 99;
			},
			"    + agent.v1.AgentMode.AGENT_MODE_DREAM = 99",
		],
		[
			"gives a value of an enum another number",
			(schema) => {
				schema.enums["agent.v1.AgentMode"]!.AGENT_MODE_ASK = 99;
			},
			"  ! ~ agent.v1.AgentMode.AGENT_MODE_ASK = 2 → 99",
		],
		[
			"makes an RPC of another kind",
			(schema) => {
				schema.services["agent.v1.AgentService"]!.find(({ name }) => name === "RunSSE")!.kind = "Unary";
			},
			"  ! ~ RPC /agent.v1.AgentService/RunSSE: ServerStreaming aiserver.v1.BidiRequestId → agent.v1.AgentServerMessage → Unary aiserver.v1.BidiRequestId → agent.v1.AgentServerMessage",
		],
		[
			"drops an RPC that is used",
			(schema) => {
				schema.services["aiserver.v1.BidiService"] = [];
			},
			"  ! - RPC /aiserver.v1.BidiService/BidiAppend",
		],
	];
	it.each(cases)("%s is told so", (_what, change, line) => {
		expect(found(change).lines).toEqual([line]);
	});

	it("drops a field that the proto files leave out breaks nothing", () => {
		const left = facts.messages["agent.v1.ToolCall"].fields.find(({ name }) => !used.has(`agent.v1.ToolCall.${name}`))!;
		const { lines } = found((schema) => {
			schema.messages["agent.v1.ToolCall"] = schema.messages["agent.v1.ToolCall"]!.filter(
				(each) => each.name !== left.name,
			);
		});
		expect(lines).toHaveLength(1);
		expect(lines[0]).toContain(`    - agent.v1.ToolCall.${left.name} = ${left.no} (`);
	});

	it("differs in several places is told about with the stream of a run first", () => {
		const { text } = found((schema) => {
			schema.messages["aiserver.v1.GetMeResponse"]!.push({ no: 999, name: "a", kind: "scalar", type: "string" });
			schema.messages["agent.v1.UserMessage"]!.push({ no: 999, name: "z", kind: "scalar", type: "string" });
		});
		expect(text.indexOf("UserMessage.z")).toBeGreaterThan(0);
		expect(text.indexOf("UserMessage.z")).toBeLessThan(text.indexOf("GetMeResponse.a"));
		expect(text).toContain("2 added, 0 removed, 0 changed; nothing that is used here has changed");
	});

	it("is packed in a way that is not known fails, and does not count as empty", () => {
		expect(() => extractSchema(makeEmpty())).toThrow(/no generated modules/);
	});
});

function makeEmpty(): string {
	const folder = makeSdk({ messages: {}, enums: {}, services: {} });
	folders.push(folder);
	rmSync(join(folder, "dist/esm/index.js"));
	return folder;
}

describe("the command", () => {
	it("ends with 1 for a changed number, from a folder and from an archive", () => {
		const folder = madeUp((schema) => {
			field(schema, "agent.v1.TextDeltaUpdate", "text").no = 9;
		});
		const told = "agent.v1.TextDeltaUpdate.text = 1 (string) → agent.v1.TextDeltaUpdate.text = 9 (string)";
		const fromFolder = drift([folder]);
		expect(fromFolder).toMatchObject({ status: 1, stderr: "" });
		expect(fromFolder.stdout).toContain(told);

		const archive = join(dirname(folder), "made-up.tgz");
		spawnSync("tar", ["-czf", archive, "-C", dirname(folder), "package"]);
		expect(drift([archive]).stdout).toBe(fromFolder.stdout);
	});

	it("ends with 0 for something new that breaks nothing", () => {
		const folder = madeUp((schema) => {
			schema.messages["agent.v1.UserMessage"]!.push({ no: 999, name: "mood", kind: "scalar", type: "string" });
		});
		expect(drift([folder])).toMatchObject({ status: 0, stderr: "" });
	});

	it("ends with 2 and its usage for what is no SDK", () => {
		const { status, stderr } = drift(["nonsense"]);
		expect(status).toBe(2);
		expect(stderr).toContain('"nonsense" is neither a version');
		expect(stderr).toContain("usage: npm run drift");
	});

	it("ends with 2 where the registry cannot be reached, and says so", () => {
		const cache = join(mkdtempSync(join(tmpdir(), "cursorwire-no-npm-")), "cache");
		folders.push(cache);
		const env = { npm_config_registry: "http://127.0.0.1:9/", npm_config_cache: cache };
		const { status, stderr } = drift(["latest"], env);
		expect(stderr).toContain("the npm registry is not reachable (ECONNREFUSED)");
		expect(status).toBe(2);
	});
});
