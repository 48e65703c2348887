import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { useEmulators } from "./kit/emulators.ts";
import { RunClient, textResult } from "./kit/run-client.ts";

const start = useEmulators();
const cleanups: (() => void)[] = [];
afterEach(() => {
	for (const cleanup of cleanups.splice(0)) cleanup();
});

function folderWith(files: Record<string, string>): string {
	const folder = mkdtempSync(join(tmpdir(), "cursorwire-brain-"));
	for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
	cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

describe("demo", () => {
	const path = {
		type: "object",
		properties: { filePath: { type: "string" }, limit: { type: "integer" } },
		required: ["filePath", "limit"],
	};
	const TOOLS = [
		{ name: "todo_write", schema: path },
		{ name: "read", schema: path },
		{ name: "write", schema: { type: "object", properties: { path: {}, content: {} }, required: ["path", "content"] } },
		{ name: "list", schema: { type: "object", properties: { path: { type: "string" } } } },
		{ name: "grep", schema: { type: "object", properties: { pattern: { type: "string" } } } },
		{ name: "shell", schema: { type: "object", properties: { command: { type: "array" } }, required: ["command"] } },
	];
	const PROMPTS: [string, string, unknown][] = [
		["please read notes.txt", "read", { filePath: "notes.txt", limit: 1 }],
		['write "hi there" to out.md', "write", { path: "out.md", content: "hi there\n" }],
		["list the files", "list", { path: "." }],
		["search for 'TODO'", "grep", { pattern: "TODO" }],
		["run `ls -la`", "shell", { command: ["bash", "-lc", "ls -la"] }],
	];

	it.each(PROMPTS)("%s → %s", async (prompt, tool, args) => {
		const client = await RunClient.connect(await start());
		let called: unknown[] = [];
		const outcome = await client.run({
			prompt,
			tools: TOOLS,
			onExec: (exec) => {
				if (exec.message.case === "mcpArgs") {
					const { name, args: given } = exec.message.value;
					called = [name, Object.fromEntries(Object.entries(given).map(([key, value]) => [key, plain(value)]))];
				}
				return textResult(exec, "RESULT");
			},
		});
		expect(called).toEqual([tool, args]);
		expect(outcome.text).toContain("RESULT");
	});

	it("reads two files with two calls in one step", async () => {
		const client = await RunClient.connect(await start());
		const outcome = await client.run({
			prompt: "read a.txt and b.txt",
			tools: TOOLS,
			onExec: (exec) => textResult(exec, `#${exec.id}`),
		});
		expect(outcome.execs.filter(({ message }) => message.case === "mcpArgs")).toHaveLength(2);
		expect(outcome.text).toMatch(/a\.txt says: #\d[\s\S]*b\.txt says: #\d/);
	});

	it("says so when the client has no fitting tool, remembers, and thinks when the model is one that does", async () => {
		const client = await RunClient.connect(await start());
		expect((await client.run({ prompt: "read a.txt" })).text).toContain("offers no tool");
		const first = await client.run({ prompt: "my dog is Rex" });
		const second = await client.run({ prompt: "what did I say first?", state: first.checkpoints.at(-1) });
		expect(second.text).toBe("You first said: my dog is Rex");
		expect((await client.run({ model: "gpt-5.4-high" })).thinking).not.toBe("");
		expect((await client.run({ model: "composer-1" })).thinking).toBe("");
	});
});

/** A protobuf Value as plain data. */
function plain(value: { kind: { case?: string; value?: unknown } }): unknown {
	const { kind } = value;
	if (kind.case === "listValue") return (kind.value as { values: (typeof value)[] }).values.map(plain);
	return kind.value;
}

describe("relay", () => {
	it("lets an OpenAI-compatible server be the model, tools included", async () => {
		const bodies: { messages: { role: string }[]; model: string; tools?: unknown[] }[] = [];
		const server = createServer(async (request, response) => {
			let body = "";
			for await (const chunk of request) body += chunk;
			bodies.push(JSON.parse(body));
			response.writeHead(200, { "content-type": "text/event-stream" });
			const say = (delta: object) => response.write(`data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`);
			if (bodies.length === 1) {
				say({ content: "calling " });
				say({ tool_calls: [{ index: 0, id: "x", function: { name: "look", arguments: '{"a"' } }] });
				say({ tool_calls: [{ index: 0, function: { arguments: ":1}" } }] });
			} else {
				say({ content: "done" });
			}
			response.end("data: [DONE]\n\n");
		});
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		cleanups.push(() => server.close());
		const { port } = server.address() as AddressInfo;
		const emulator = await start({ brain: `relay:http://127.0.0.1:${port}/v1?model=local` });
		const client = await RunClient.connect(emulator);
		const outcome = await client.run({ tools: [{ name: "look" }], onExec: (exec) => textResult(exec, "seen") });
		expect(outcome.text).toBe("calling done");
		expect(bodies.map(({ model }) => model)).toEqual(["local", "local"]);
		expect(bodies[1]!.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
		expect(bodies[0]!.tools).toHaveLength(1);
	});

	it("that does not answer is an error of the turn", async () => {
		const client = await RunClient.connect(await start({ brain: "relay:http://127.0.0.1:9/v1" }));
		await expect(client.run()).rejects.toThrow(/the brain failed/);
	});
});

describe("a module", () => {
	it("is loaded by its path", async () => {
		const folder = folderWith({
			"mine.mjs": "export default async function* (turn) { yield { text: 'I got ' + turn.prompt }; }",
		});
		const client = await RunClient.connect(await start({ brain: "./mine.mjs", folder }));
		expect((await client.run({ prompt: "it" })).text).toBe("I got it");
	});

	it("that throws fails the turn, and the emulator lives", async () => {
		const reports: string[] = [];
		const emulator = await start({
			report: (line) => reports.push(line),
			// biome-ignore lint/correctness/useYield: it is to fail before it says anything
			async *brain() {
				throw new Error("oops");
			},
		});
		const client = await RunClient.connect(emulator);
		await expect(client.run()).rejects.toThrow(/the brain failed: oops/);
		await expect(client.run()).rejects.toThrow(/the brain failed: oops/);
		expect(reports).toEqual(["Run: the brain failed: oops", "Run: the brain failed: oops"]);
	});

	it.each([
		["nobody", {}, /unknown brain "nobody": not demo, echo, busy or relay:<url>, and there is no file/],
		["./empty.mjs", { "empty.mjs": "export const x = 1;" }, /no default export that is a function/],
		["./broken.mjs", { "broken.mjs": "export default {" }, /cannot be loaded/],
		["relay:here", {}, /not a URL/],
	])("%s is refused in one line", async (brain, files, message) => {
		const folder = folderWith(files as Record<string, string>);
		const failure = await start({ brain, folder }).catch((error: Error) => error);
		expect((failure as Error).message).toMatch(message);
		expect((failure as Error).message).not.toContain("\n");
	});
});
