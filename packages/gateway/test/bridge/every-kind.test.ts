import { create, type DescField, fromJson } from "@bufbuild/protobuf";
import { ExecClientMessageSchema, type ExecServerMessage, ExecServerMessageSchema } from "@cursorwire/protocol/agent";
import { describe, expect, it } from "vitest";
import { bridgeExec } from "../../src/upstream/bridge/bridge-exec.ts";
import { answersOf, decoded } from "./bridging.ts";
import { CLIENTS } from "./client-tools.ts";

const REQUESTS = ExecServerMessageSchema.oneofs.find(({ name }) => name === "message")!.fields;
const ANSWERS = new Map(ExecClientMessageSchema.fields.map((field) => [field.localName, field]));
// Served elsewhere, or without a form to say no in.
const THROWN = new Set(["mcp_args", "request_context_args", "execute_hook_args", "git_diff_request"]);

function request(field: DescField): ExecServerMessage {
	return fromJson(ExecServerMessageSchema, { id: 1, [field.jsonName]: {} });
}

/** Results have the number of their request; the pi family's is one higher, and two kinds have numbers of their own. */
function answerNumber({ name, number }: DescField): number {
	if (name === "mini_swe_agent_bash_args") return 55;
	return name.startsWith("pi_") ? number + 1 : number;
}

describe.each(REQUESTS.map((field) => [field.name, field] as const))("%s", (name, field) => {
	it.each([
		["without tools", []],
		["with the tools of a client", CLIENTS.claudeCode],
		["with a shell alone", CLIENTS.codex],
	])("is answered in its own type %s", (_name, tools) => {
		const decision = bridgeExec(request(field), tools);
		if (THROWN.has(name)) {
			expect(decision).toEqual({ kind: "throw", error: expect.stringMatching(/./) });
			return;
		}
		expect(decision.kind).not.toBe("throw");
		if (decision.kind === "throw") return;
		const outcomes =
			decision.kind === "answer"
				? [decision.answers]
				: [true, false].map((isError) => decision.call.answer({ text: "text", images: [], isError }));
		for (const answers of outcomes) {
			const results = decoded(answers);
			expect(results.length).toBeGreaterThan(0);
			for (const result of results) {
				expect(ANSWERS.get(result.case ?? "")?.number).toBe(answerNumber(field));
			}
		}
	});
});

it("a request of the future is thrown back", () => {
	expect(bridgeExec(create(ExecServerMessageSchema, { id: 1 }), CLIENTS.pi)).toMatchObject({ kind: "throw" });
});

it("refusals say what to do when there are no tools, and when none is near", () => {
	const diagnostics = { case: "diagnosticsArgs" as const, value: { path: "a" } };
	expect(JSON.stringify(answersOf(diagnostics, []))).toContain("There are no tools");
	expect(JSON.stringify(answersOf(diagnostics, CLIENTS.pi))).toContain("read, bash, edit, write, grep, find, ls.");
});

it("the server learns the tools in full when it asks for them", () => {
	const [state] = answersOf({ case: "mcpStateExecArgs", value: {} }, CLIENTS.opencode);
	const names = "bash read glob grep edit write client_webfetch client_todowrite client_task".split(" ");
	expect(state).toMatchObject({
		case: "mcpStateExecResult",
		value: { result: { case: "success", value: { servers: [{ tools: names.map((name) => ({ name })) }] } } },
	});
	expect(JSON.stringify(answersOf({ case: "mcpStateExecArgs", value: {} }, []))).toContain('"servers":[]');
});
