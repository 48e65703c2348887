// Ways to run a command.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { LAUNCH_CLIENTS } from "../../../src/launch/clients.ts";
import { freshPair } from "../../kit/credentials/rig.ts";
import { commandsIn, ROOT, read } from "./collect.ts";
import type { Place, Stage } from "./stage.ts";

export type Run = (stage: Stage, command: string) => Promise<void>;

/** It is typed, perhaps with more words behind it, and ends with one of the codes. */
export const ends =
	(place: Place = {}, more = "", codes: (number | null)[] = [0]): Run =>
	async (stage, command) => {
		const inClone = command.startsWith("npx ");
		const typed = stage.type(`${command}${more}`, { inClone, ...place });
		const code = await typed.ended;
		expect(codes, typed.output()).toContain(code);
	};

/** A client is started with what leads it to the gateway, and the command ends as it does. */
export const launches: Run = async (stage, command) => {
	const bin = join(stage.folder, "clients");
	const agent = join(stage.folder, "agent.mjs");
	// Once: a program cannot be started while somebody writes it, and several launches are tried at a time.
	if (!existsSync(bin)) {
		mkdirSync(bin);
		const script =
			'#!/bin/sh\nenv | grep -q http://127.0.0.1 || printf %s "$*" | grep -q http://127.0.0.1 || test -f "$2"\n';
		for (const { program } of Object.values(LAUNCH_CLIENTS)) writeFileSync(join(bin, program), script, { mode: 0o755 });
		writeFileSync(agent, "process.exit(process.env.OPENAI_BASE_URL ? 0 : 1);");
	}
	const typed = command.replace(/<command>|<program>/, "node agent.mjs").replace("agent.mjs", agent);
	await ends()(stage, `PATH="${bin}:$PATH"; ${typed}`);
};

/** A server: it is typed, prints its address, answers, and stops when it is told to. */
export const serves =
	(path: string, place: Place = {}): Run =>
	async (stage, command) => {
		const typed = stage.type(command, { inClone: command.startsWith("npx "), ...place });
		const [url] = await typed.prints(/https?:\/\/127\.0\.0\.1:\d+/);
		expect((await fetch(`${url}${path}`)).status).toBe(200);
		typed.stop();
		await typed.ended;
	};

/** It prints what happens while it runs: here, requests for a model that does not exist. */
export const follows: Run = async (stage, command) => {
	const { url, key } = stage.gateway;
	const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", "user-agent": "codex/1.0" };
	const body = JSON.stringify({ model: "gpt-99", messages: [{ role: "user", content: "hello" }] });
	const typed = stage.type(command, { withGateway: true });
	let hasPrinted = false;
	const printed = typed.prints(/gpt-99/).finally(() => {
		hasPrinted = true;
	});
	while (!hasPrinted) await fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body });
	await printed;
	typed.stop();
	await typed.ended;
};

/** Clients whose settings are changed, one command at a time for each. */
const clients = new Map<string, Promise<void>>();
export const oneAtATime =
	(run: Run): Run =>
	(stage, command) => {
		const client = /connect ([\w-]+)/.exec(command)?.[1] ?? "";
		const turn = (clients.get(client) ?? Promise.resolve()).catch(() => {}).then(() => run(stage, command));
		clients.set(client, turn);
		return turn;
	};

/** In one home, because the gateway knows where a client was connected. */
export const connects: Run = (stage, command) =>
	ends(
		{ withGateway: true, env: { HOME: join(stage.folder, "clients") } },
		/--(yes|print)/.test(command) ? "" : " --yes",
	)(stage, command);

/** On a machine of its own, on which a client was connected before. */
export const disconnects: Run = (stage, command) => {
	const client = /disconnect ([a-z][\w-]*)/.exec(command)?.[1];
	const before = `cursorwire connect ${client ?? "codex"} --yes --url ${stage.gateway.url} --key ${stage.gateway.key}`;
	const all = client === undefined && !command.includes("--all") ? " --all" : "";
	return ends({}, `${all}${command.includes("--yes") ? "" : " --yes"}`)(stage, `${before} && ${command}`);
};

/** The page that a login prints is opened and approved. */
export const signsIn: Run = async (stage, command) => {
	const typed = stage.type(command, { inClone: command.startsWith("npx "), env: { CURSOR_API_KEY: "" } });
	const [page] = await typed.prints(/http:\/\/127\.0\.0\.1:\d+\/loginDeepControl\?\S+/);
	await fetch(page);
	const uuid = new URL(page).searchParams.get("uuid")!;
	const body = new URLSearchParams({ uuid });
	await fetch(`${stage.emulator.url}/loginDeepControl/approve`, { method: "POST", body });
	expect(await typed.ended, typed.output()).toBe(0);
};

export const pastesToken: Run = async (stage, command) => {
	const { accessToken } = await freshPair(stage.emulator);
	await ends({ env: { CURSOR_API_KEY: "" }, input: `user_1::${accessToken.reveal()}\n` })(stage, command);
};

export const imports: Run = async (stage, command) => {
	const { accessToken, refreshToken } = await freshPair(stage.emulator);
	const HOME = join(stage.folder, "signed-in");
	mkdirSync(join(HOME, ".config", "cursor"), { recursive: true });
	const tokens = { accessToken: accessToken.reveal(), refreshToken: refreshToken.reveal() };
	writeFileSync(join(HOME, ".config", "cursor", "auth.json"), JSON.stringify(tokens));
	await ends({ env: { HOME, CURSOR_API_KEY: "" } })(stage, command);
};

/** A demo in the clone, with npm itself: what it prints is typed as it is printed, in another terminal. */
export async function demoLeadsOn(stage: Stage, command: string): Promise<void> {
	const real = { inClone: true, env: { PATH: process.env.PATH!, HOME: join(stage.folder, "clone-home") } };
	mkdirSync(real.env.HOME, { recursive: true });
	const demo = stage.type(command, { ...real, withGateway: false, env: { ...real.env, CURSORWIRE_DATA_DIR: "" } });
	await demo.prints(/Ctrl-C/);
	const [curl] = /curl .*/.exec(demo.output())!;
	const asked = stage.type(`${curl} -s --fail`);
	expect(await asked.ended, asked.output()).toBe(0);
	expect(JSON.parse(asked.output()).choices[0].message.content).toContain("Say hello");
	const hint = "npx cursorwire connect opencode";
	expect(commandsIn(demo.output())).toEqual(expect.arrayContaining(["npx cursorwire open", hint]));
	const hinted = stage.type(`${hint} --print`, { ...real, env: { ...real.env, CURSORWIRE_DATA_DIR: "" } });
	expect(await hinted.ended, hinted.output()).toBe(0);
	expect(hinted.output()).toContain("@ai-sdk/openai-compatible");
	demo.stop();
	await demo.ended;
}

/** The script exists, and so does the program that it starts. */
export const isScript: Run = async (_, command) => {
	const { scripts } = JSON.parse(read("package.json")!);
	const script: string | undefined = scripts[/^npm run ([\w:-]+)/.exec(command)![1]!];
	expect(script, "no such script").toBeDefined();
	const [program = "", ...words] = script!.split(" ");
	const file = program === "node" ? words.find((word) => /\.m?[jt]s$/.test(word)) : `node_modules/.bin/${program}`;
	expect(program === "npm" || existsSync(join(ROOT, file!)), script).toBe(true);
};

export const isInFile =
	(file: string, ...texts: string[]): Run =>
	async () => {
		for (const text of texts) expect(read(file)).toContain(text);
	};
