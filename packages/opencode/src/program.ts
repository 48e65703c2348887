import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** OpenCode runs on Bun, whose HTTP/2 client does not work with Cursor, so the gateway runs on Node. */
const NODE = process.env.CURSORWIRE_NODE || "node";
const NODE_MISSING =
	"Cursor models need Node 20.19 or newer, which was not found. Install it from https://nodejs.org, or name its path in CURSORWIRE_NODE.";
const STARTER = fileURLToPath(new URL("../bin/with-parent.mjs", import.meta.url));
const TAIL = 4_000;

export interface Program {
	child: ChildProcess;
	/** The JSON objects that it prints, one per line. Throws the end of its output if it ends without one. */
	nextLine(): Promise<Record<string, unknown>>;
	/** Resolves when it ends with code 0. Otherwise it rejects with the end of its output. */
	ended: Promise<void>;
}

/** Starts `cursorwire` as a separate process that ends with this one, however this one ends. */
export function startProgram(args: string[], input?: string): Program {
	const manifest = createRequire(import.meta.url).resolve("cursorwire/package.json");
	const script = join(dirname(manifest), "bin", "cursorwire.mjs");
	// A program that reads from stdin cannot use it to notice the end of this process, but such programs are short.
	const command = input === undefined ? [STARTER, script, ...args] : [script, ...args];
	const child = spawn(NODE, command, { stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
	if (input !== undefined) child.stdin.end(input);
	child.stdin.on("error", () => {});

	const lines: Record<string, unknown>[] = [];
	let wake = () => {};
	let unread = "";
	let lastWords = "";
	child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
		const parts = `${unread}${chunk}`.split("\n");
		unread = parts.pop()!.slice(-TAIL);
		for (const part of parts) if (part.startsWith("{")) lines.push(JSON.parse(part));
		wake();
	});
	child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
		lastWords = `${lastWords}${chunk}`.slice(-TAIL);
	});
	const ended = new Promise<void>((resolve, reject) => {
		child.once("error", (error: NodeJS.ErrnoException) =>
			reject(error.code === "ENOENT" ? new Error(NODE_MISSING) : error),
		);
		child.once("close", (code) =>
			code === 0 ? resolve() : reject(new Error(lastWords.trim() || `cursorwire ${args[0]} ended with code ${code}`)),
		);
	});
	ended.catch(() => {});
	return {
		child,
		ended,
		async nextLine() {
			for (;;) {
				const line = lines.shift();
				if (line) return line;
				const more = new Promise<void>((resolve) => {
					wake = resolve;
				});
				const isOver = await Promise.race([more.then(() => false), ended.then(() => true)]);
				if (isOver && lines.length === 0) throw new Error(lastWords.trim() || `cursorwire ${args[0]} said nothing`);
			}
		},
	};
}
