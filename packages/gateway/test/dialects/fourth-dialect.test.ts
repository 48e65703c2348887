// The dialect of docs/adding-a-dialect.md, exactly as the page has it: added to a copy of the source and used.
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { afterAll, beforeAll, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const PAGE = readFileSync(join(ROOT, "docs/adding-a-dialect.md"), "utf8");
const TOOL = {
	name: "read_file",
	description: "Reads a file",
	parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};

interface Block {
	kind: string;
	file: string;
	text: string;
}

interface Ready {
	url: string;
	key: string;
}

const blocks: Block[] = [...PAGE.matchAll(/^```(\w+) file=(\S+)\n(.*?)^```$/gms)].map(([, kind, file, text]) => ({
	kind: kind!,
	file: file!,
	text: text!,
}));

let copy = "";
let ready: Ready;
let stop = async () => {};

beforeAll(async () => {
	copy = mkdtempSync(join(tmpdir(), "cursorwire-fourth-"));
	copySource();
	for (const block of blocks) (block.kind === "diff" ? change : add)(block);
	ready = await startDemo();
});

afterAll(async () => {
	await stop();
	rmSync(copy, { recursive: true, force: true });
});

function copySource(): void {
	for (const name of [
		"tsconfig.json",
		"packages/gateway/package.json",
		"packages/gateway/bin",
		"packages/gateway/src",
	]) {
		cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter: (path) => !path.endsWith(".test.ts") });
	}
	symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"), "dir");
}

function add({ file, text }: Block): void {
	mkdirSync(dirname(join(copy, file)), { recursive: true });
	writeFileSync(join(copy, file), text);
}

/** Makes the change that a block shows; every line around it has to be there. */
function change({ file, text }: Block): void {
	let source = readFileSync(join(copy, file), "utf8");
	for (const hunk of text.split(/^@@\n/m)) {
		const lines = hunk.split(/(?<=\n)/);
		const side = (left: string) => lines.flatMap((line) => (line[0] === left ? [] : [line.slice(1)])).join("");
		expect(source, file).toContain(side("+"));
		source = source.replace(side("+"), () => side("-"));
	}
	writeFileSync(join(copy, file), source);
}

/** `cursorwire demo` of the copy: gateway and emulator. */
async function startDemo(): Promise<Ready> {
	const program = join(copy, "packages/gateway/bin/cursorwire.mjs");
	const child = spawn(process.execPath, [program, "demo", "--json", "--port", "0"], {
		env: { PATH: process.env.PATH ?? "", HOME: join(copy, "home") },
	});
	const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
	stop = () => {
		child.kill();
		return ended;
	};
	return await new Promise((resolve, reject) => {
		let out = "";
		let err = "";
		child.stderr.on("data", (chunk) => (err += chunk));
		child.stdout.on("data", (chunk) => {
			out += chunk;
			if (out.includes("\n")) resolve(JSON.parse(out) as Ready);
		});
		ended.then(() => reject(new Error(`The copy did not start: ${out}${err}`)));
	});
}

function post(body: object): Promise<Response> {
	return fetch(`${ready.url}/v1/tiny`, {
		method: "POST",
		headers: { authorization: `Bearer ${ready.key}`, "content-type": "application/json" },
		body: JSON.stringify({ model: "composer-1", ...body }),
	});
}

it("the page holds one folder and one change", () => {
	expect(blocks.map(({ kind, file }) => [kind, dirname(file)])).toEqual([
		["ts", "packages/gateway/src/dialects/tiny"],
		["ts", "packages/gateway/src/dialects/tiny"],
		["ts", "packages/gateway/src/dialects/tiny"],
		["diff", "packages/gateway/src/routes"],
	]);
});

it("its code fits the contract", () => {
	const { config } = ts.readConfigFile(join(copy, "tsconfig.json"), ts.sys.readFile);
	const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, copy);
	const files = blocks.map(({ file }) => join(copy, file));
	const program = ts.createProgram(files, options);
	const found = files.flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)));
	expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
});

it("has a turn with a tool: a call, its result, and the reply", async () => {
	const request = { prompt: "Read notes.txt", tools: [TOOL] };
	const first = await post(request);
	const asked = (await first.json()) as { calls: { id: string; name: string; arguments: string }[] };
	expect(first.headers.get("x-cursorwire-path")).toBe("new");
	expect(asked).toEqual({
		text: "Let me read that. ",
		calls: [{ id: expect.any(String), name: "read_file", arguments: expect.any(String) }],
		end: "tool-calls",
	});
	expect(JSON.parse(asked.calls[0]!.arguments)).toEqual({ path: "notes.txt" });

	const second = await post({ ...request, results: [{ call: asked.calls[0], text: "buy milk" }] });
	expect(second.headers.get("x-cursorwire-path")).toBe("parked");
	expect(await second.json()).toEqual({ text: "notes.txt says: buy milk\n", calls: [], end: "stop" });
});

it("streams the same turn", async () => {
	const response = await post({ prompt: "Read notes.txt", tools: [TOOL], stream: true });
	expect(response.headers.get("content-type")).toContain("text/event-stream");
	const events = (await response.text())
		.split("\n\n")
		.filter((event) => event.startsWith("data: "))
		.map((event) => JSON.parse(event.slice("data: ".length)));
	expect(events.map(({ text = "" }) => text).join("")).toBe("Let me read that. ");
	expect(events.slice(-2)).toEqual([
		{ call: { id: expect.any(String), name: "read_file", arguments: expect.any(String) } },
		{ end: "tool-calls" },
	]);
});

it("refuses in its own form what it cannot read, and who has no key", async () => {
	const wrong = await post({ prompt: 5 });
	expect([wrong.status, await wrong.json()]).toEqual([
		400,
		{ error: { kind: "invalid-request", message: expect.stringContaining("prompt must be a string.") } },
	]);
	const stranger = await fetch(`${ready.url}/tiny`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: "{}",
	});
	expect([stranger.status, await stranger.json()]).toEqual([
		401,
		{ error: expect.objectContaining({ kind: "bad-key" }) },
	]);
});
