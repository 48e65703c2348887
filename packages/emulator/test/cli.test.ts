import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import type { Emulator } from "../src/index.ts";
import { useEmulators } from "./kit/emulators.ts";
import { RunClient } from "./kit/run-client.ts";

const start = useEmulators();
const BIN = fileURLToPath(new URL("../bin/cursorwire-emulator.mjs", import.meta.url));
const children: ChildProcess[] = [];
const folder = mkdtempSync(join(tmpdir(), "cursorwire-cli-"));
afterEach(() => {
	for (const child of children.splice(0)) child.kill("SIGKILL");
});

function run(...args: string[]) {
	const child = spawn(process.execPath, [BIN, ...args], { cwd: folder });
	children.push(child);
	let out = "";
	let err = "";
	child.stdout.on("data", (chunk) => {
		out += chunk;
	});
	child.stderr.on("data", (chunk) => {
		err += chunk;
	});
	const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
		child.on("close", (code) => resolve({ code, out, err }));
	});
	const firstLine = new Promise<string>((resolve) => {
		child.stdout.on("data", () => out.includes("\n") && resolve(out.split("\n")[0]!));
	});
	return { child, ended, firstLine };
}

describe("cursorwire-emulator", () => {
	it("prints one JSON line with the URL when it is ready, and stops on SIGTERM", async () => {
		writeFileSync(join(folder, "my-brain.mjs"), "export default async function* () { yield { text: 'mine' }; }");
		const { child, ended, firstLine } = run("--brain", "./my-brain.mjs", "--port", "0", "--json");
		const { url, pid } = JSON.parse(await firstLine);
		expect(pid).toBe(child.pid);
		expect((await fetch(`${url}/__emulator/stats`)).status).toBe(200);
		child.kill("SIGTERM");
		const { code, out, err } = await ended;
		expect([code, out.trim().split("\n").length, err]).toEqual([0, 1, ""]);
	});

	it("--show-prompts prints each prompt as the model would read it, on stderr", async () => {
		const { child, ended, firstLine } = run("--brain", "echo", "--show-prompts", "--port", "0", "--json");
		const { url } = JSON.parse(await firstLine);
		const client = await RunClient.connect({ url } as Emulator);
		await client.run({ prompt: "what do you read?" });
		child.kill("SIGTERM");
		const { out, err } = await ended;
		expect(out.trim().split("\n")).toHaveLength(1);
		expect(err).toMatch(
			/^━━ prompt 1 · agent \(Run\) · composer-1 .*\n── newest, user · 5 tokens\n- what do you read\?\n$/s,
		);
	});

	it("serves TLS and hands out its certificate over the library only by what it was asked", async () => {
		const { firstLine } = run("--tls", "--port", "0", "--json");
		expect(JSON.parse(await firstLine).url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
	});

	it("names faults and switches in its help", async () => {
		const { code, out } = await run("--help").ended;
		expect(code).toBe(0);
		expect(out).toMatch(/goaway-refuse[\s\S]*checkpoint-users/);
	});

	const accounts = (text: string) => {
		const file = join(folder, "accounts.json");
		writeFileSync(file, text);
		return file;
	};
	const BAD: [string, () => string[], RegExp][] = [
		["an unknown brain", () => ["--brain", "genius"], /unknown brain "genius"/],
		["an unknown fault", () => ["--fault", "melt@frame:1"], /unknown fault "melt"/],
		["an unknown switch", () => ["--set", "mood=good"], /unknown switch "mood"/],
		["a port that is none", () => ["--port", "eighty"], /--port takes a whole number/],
		["an address that is not ours", () => ["--host", "192.0.2.1", "--port", "0"], /not an address of this machine/],
		["a missing account file", () => ["--accounts", "nowhere.json"], /nowhere\.json cannot be read: ENOENT/],
		["an account file that is not JSON", () => ["--accounts", accounts("{oops")], /not JSON/],
		[
			"an account file with a wrong field",
			() => ["--accounts", accounts('{"accounts":[{"id":"user_1","plan":"gold"}]}')],
			/accounts\.0\.plan: /,
		],
		["an option nobody knows", () => ["--melt"], /unknown option/],
	];

	it.each(BAD)("%s is one clear line and exit code 2", async (_name, args, message) => {
		const { code, out, err } = await run(...args()).ended;
		expect(code).toBe(2);
		expect(out).toBe("");
		expect(err).toMatch(message);
		// The parser of options adds hints in brackets behind its line.
		const lines = err.split("\n").filter((line) => line !== "" && !line.startsWith("("));
		expect(lines).toHaveLength(1);
	});

	it("a port in use is one clear line and exit code 2", async () => {
		const emulator = await start();
		const { code, err } = await run("--port", new URL(emulator.url).port).ended;
		expect(code).toBe(2);
		expect(err).toMatch(/^cursorwire-emulator: port \d+ is in use; choose another with --port/);
	});

	it("leaves nothing behind", () => {
		rmSync(folder, { recursive: true, force: true });
	});
});
