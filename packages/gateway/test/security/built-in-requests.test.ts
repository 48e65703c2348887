// A19: Cursor asks the gateway to run, read, write, delete and fetch things. The kernel is watched meanwhile.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { ExecServerMessageSchema } from "@cursorwire/protocol/agent";
import { startEmulator } from "cursorwire-emulator";
import { expect, it, onTestFinished } from "vitest";
import { until } from "../kit/cleanup.ts";
import { LOOK } from "../kit/hostile/brain.ts";
import { RawClient } from "../kit/hostile/raw-client.ts";
import { say } from "../kit/hostile/rig.ts";
import { temporaryFolder } from "../kit/program.ts";
import { serve } from "../kit/served.ts";
import { startAttacker } from "./attacker.ts";

/** Everything by which a process could have done what it was asked to. */
const WATCHED = "execve,execveat,fork,vfork,openat,creat,unlink,unlinkat,rename,renameat2,mkdir,connect,accept4";

const kinds = ExecServerMessageSchema.fields
	.filter((field) => field.oneof?.name === "message" && field.fieldKind === "message")
	// The request context is the client's own, and told in the run request; a call of a client's tool is a call.
	.filter(({ name }) => name !== "request_context_args" && name !== "mcp_args")
	.map((field) => ({
		name: field.name,
		kind: field.name.replace(/_(exec_)?(args|request)$/, ""),
		args: field.message!,
	}));

/** Every text of a request, filled with something that would leave a trace if it were used. */
function filled(message: DescMessage, payload: (name: string) => string): Record<string, unknown> {
	const isText = (field: DescField) => field.fieldKind === "scalar" && field.scalar === ScalarType.STRING;
	const texts = message.fields.filter(
		(field) => isText(field) && field.oneof === undefined && field.name !== "tool_call_id",
	);
	return Object.fromEntries(texts.map(({ name, jsonName }) => [jsonName, payload(name)]));
}

/** Watches the system calls of a process; gives them when the watch is over. */
async function watch(pid: number, file: string): Promise<() => Promise<string>> {
	const strace = spawn("strace", ["-f", "-p", String(pid), "-o", file, "-s", "200", "-e", `trace=${WATCHED}`]);
	onTestFinished(() => void strace.kill("SIGKILL"));
	let said = "";
	strace.stderr.on("data", (chunk) => (said += chunk));
	strace.on("error", () => (said += "strace is not installed: apt-get install strace"));
	strace.on("exit", () => (said += "strace has ended"));
	await until(() => /attached|strace (is|has)/.test(said));
	expect(said).toContain("attached");
	return async () => {
		const ended = once(strace, "exit");
		strace.kill("SIGINT");
		await ended;
		return readFileSync(file, "utf8");
	};
}

it("A19: a request of Cursor to run, read, write or fetch makes the gateway do nothing of it", async () => {
	const folder = temporaryFolder();
	const dataDir = join(folder, "data");
	const bait = join(folder, "bait");
	mkdirSync(bait);
	writeFileSync(join(bait, "secret.txt"), "canary of the disk");
	const attacker = await startAttacker();
	onTestFinished(() => attacker.close());
	const payload = (name: string) => {
		if (/url|uri|host/.test(name)) return `http://127.0.0.1:${attacker.port}/${name}`;
		if (/command|script|code/.test(name)) return `touch ${bait}/made-by-${name}; cat ${bait}/secret.txt`;
		return `${bait}/secret.txt`;
	};
	const answers: [string, string][] = [];
	const emulator = await startEmulator({
		async *brain(turn) {
			const asked = kinds.filter(({ name }) => turn.prompt === "all" || turn.prompt === name);
			for (const { name, kind, args } of asked) {
				const answer: unknown = yield { exec: { kind, args: filled(args, payload) } };
				answers.push([
					name,
					JSON.stringify(answer, (_key, value) => (typeof value === "bigint" ? String(value) : value)),
				]);
			}
			yield { text: "asked for all of it" };
		},
	});
	onTestFinished(() => emulator.close());
	const served = await serve({ upstream: emulator.url, dataDir });
	// Whatever is loaded and opened at the first turn is loaded and open.
	expect((await served.ask(say("nothing"))).status).toBe(200);

	const over = await watch(served.pid, join(folder, "calls"));
	const text = await (await served.ask(say("all"))).text();
	expect(text).toContain("asked for all of it");
	expect((await served.ask(say("all", { tools: [LOOK] }))).status).toBe(200);
	const visitor = await RawClient.open(Number(new URL(served.url).port));
	visitor.close();
	const calls = await over();

	expect(answers.length).toBeGreaterThanOrEqual(kinds.length);
	for (const [name, answer] of answers) expect(answer, name).not.toContain("canary of the disk");
	// The watch saw at least that somebody came, and nothing of what was asked for.
	expect(calls).toMatch(/accept4\(/);
	expect(calls).not.toMatch(/\b(execve|execveat|vfork)\(/);
	expect(calls).not.toContain(bait);
	const ports = [...calls.matchAll(/connect\(\d+, \{sa_family=AF_INET6?, sin6?_port=htons\((\d+)\)/g)].map(
		([, port]) => port,
	);
	expect(ports.filter((port) => port !== new URL(emulator.url).port)).toEqual([]);
	expect(attacker.connections()).toBe(0);
	expect(readdirSync(bait)).toEqual(["secret.txt"]);
	expect(existsSync(join(bait, "secret.txt"))).toBe(true);
});
