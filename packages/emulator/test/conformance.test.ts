// The conformance suite itself: what it does with an SDK that hangs, with options that make no sense, with frames.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { AgentServerMessageSchema, InteractionUpdateSchema } from "@cursorwire/protocol/agent";
import { afterAll, describe, expect, it } from "vitest";
// @ts-expect-error: a script without types
import { decode, memberOf } from "../conformance/kit/decode.mjs";
// @ts-expect-error: a script without types
import { runMatrixCell } from "../conformance/runner/matrix-cell.mjs";

const RUN = fileURLToPath(new URL("../conformance/run.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "cursorwire-hanging-sdk-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An SDK whose agents never come into being. */
function makeHangingSdk(): void {
	const sdk = join(folder, "node_modules", "@cursor", "sdk");
	mkdirSync(sdk, { recursive: true });
	const manifest = {
		name: "@cursor/sdk",
		version: "9.9.9",
		type: "module",
		exports: { ".": { import: "./index.js" } },
	};
	writeFileSync(join(sdk, "package.json"), JSON.stringify(manifest));
	writeFileSync(
		join(sdk, "index.js"),
		"export class JsonlLocalAgentStore {}\nexport const Agent = { create: () => new Promise(() => {}) };\n",
	);
}

it("stops a cell after three cases that do not end", async () => {
	makeHangingSdk();
	const outcomes: { name: string; ok: boolean; reason: string }[] = [];
	const node = { path: process.execPath, version: process.versions.node };
	const cases = ["text", "frames", "thinking", "read", "shell"];
	const cell = { version: "9.9.9", transport: "http1", sdkFolder: folder, node, cases, caseLimitMs: 50 };
	await runMatrixCell(cell, (outcome: (typeof outcomes)[number]) => outcomes.push(outcome));
	expect(outcomes.map(({ name, ok }) => [name, ok])).toEqual(cases.map((name) => [name, false]));
	const late = "not finished after 0.05 s";
	const left = "not run: 3 cases over this transport did not end";
	expect(outcomes.map(({ reason }) => reason)).toEqual([late, late, late, left, left]);
});

describe("the command", () => {
	const run = (...args: string[]) => spawnSync(process.execPath, [RUN, ...args], { encoding: "utf8" });

	it.each([
		["--sdk", "newest", '--sdk takes a version such as 1.0.32, or latest, not "newest"'],
		["--transport", "pigeon", '--transport: there is no "pigeon"'],
		["--case", "nothing", '--case: there is no "nothing"'],
	])("refuses %s %s", (option, value, message) => {
		const { status, stderr } = run(option, value);
		expect(stderr).toContain(message);
		expect(stderr).toContain("usage: npm run conformance");
		expect(status).toBe(2);
	});
});

describe("the decoder of frames", () => {
	const update = (message: MessageInitShape<typeof InteractionUpdateSchema>["message"]) =>
		toBinary(InteractionUpdateSchema, create(InteractionUpdateSchema, { message }));

	it("reads what the library writes", () => {
		const value = { callId: "a", argsTextDelta: Buffer.from("größer"), modelCallId: "m" };
		const bytes = update({ case: "partialToolCall", value });
		const [kind, read] = memberOf("agent.v1.InteractionUpdate", decode("agent.v1.InteractionUpdate", bytes));
		expect(kind).toBe("partial_tool_call");
		expect(read).toEqual({ call_id: "a", args_text_delta: "größer", model_call_id: "m" });
	});

	it("reads numbers of every length, and states within messages", () => {
		const conversationCheckpointUpdate = { turns: [Buffer.of(1), Buffer.of(2)], tokenDetails: { usedTokens: 300 } };
		const message = { case: "conversationCheckpointUpdate" as const, value: conversationCheckpointUpdate };
		const bytes = toBinary(AgentServerMessageSchema, create(AgentServerMessageSchema, { message }));
		expect(decode("agent.v1.AgentServerMessage", bytes)).toEqual({
			conversation_checkpoint_update: { turns: [Buffer.of(1), Buffer.of(2)], token_details: { used_tokens: 300 } },
		});
		const ended = update({ case: "turnEnded", value: { inputTokens: 5_000_000_000n } });
		expect(decode("agent.v1.InteractionUpdate", ended)).toEqual({ turn_ended: { input_tokens: 5_000_000_000 } });
	});

	it.each([
		["a field that nobody knows", [0xfa, 0x07, 0x00], /agent\.v1\.AgentServerMessage has no field 127/],
		["a field that is cut short", [0x0a, 0x05, 0x00], /longer than its message/],
		["a number without an end", [0x0a, 0x02, 0x08, 0xff], /does not end/],
	])("refuses %s", (_what, bytes, message) => {
		expect(() => decode("agent.v1.AgentServerMessage", Uint8Array.from(bytes))).toThrow(message);
	});

	it("refuses a message of no kind", () => {
		expect(() => memberOf("agent.v1.InteractionUpdate", {})).toThrow(/of no kind/);
	});
});
