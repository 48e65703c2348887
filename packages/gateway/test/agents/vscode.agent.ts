// VS Code's own Chat through its Custom Endpoint: the real program as its server for browsers, with a browser that has no
// screen. Its models come from the file that `cursorwire connect vscode` writes.
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { CallResult } from "cursorwire-emulator";
import { beforeAll, expect, test } from "vitest";
// @ts-expect-error: a script without types
import { findCommand } from "../../../../scripts/tools/find.mjs";
import { CUSTOM_ENDPOINT } from "../connect/vscode-schema.ts";
import { runProgram } from "../kit/program.ts";
import { installAgent } from "./kit/install.ts";
import { PACKAGES } from "./kit/packages.ts";
import { openRig, type Rig, type RigOptions } from "./kit/rig.ts";

const DRIVE = fileURLToPath(new URL("kit/vscode/drive.mjs", import.meta.url));
const MODEL = "composer-1";
const BEFORE = '[\n\t{ "name": "Mine", "vendor": "ollama", "url": "http://127.0.0.1:11434" },\n]\n';

// Quick: it is the largest program to fetch, and its file is checked against its schema in the ordinary tests.
const isQuick = process.env.CURSORWIRE_TEST_QUICK === "1";
const whole = test.skipIf(isQuick);

let program: string[];
beforeAll(async () => {
	if (!isQuick) program = await installAgent(PACKAGES.vscode);
});

whole("what VS Code accepts in its file is what our file is checked against", () => {
	const manifest = readFileSync(resolve(program.at(-1)!, "../../extensions/copilot/package.json"), "utf8");
	const providers: { vendor: string; configuration?: unknown }[] =
		JSON.parse(manifest).contributes.languageModelChatProviders;
	expect(providers.find(({ vendor }) => vendor === "customendpoint")?.configuration).toEqual(CUSTOM_ENDPOINT);
});

interface Reported {
	version?: string;
	/** How many models of the Custom Endpoint there are before anybody has opened "Manage Language Models". */
	before?: number;
	models?: { id: string; maxInputTokens: number }[];
	reply?: string[];
	error?: string;
}

interface Chat {
	rig: Rig;
	file: string;
	run(...prompts: string[]): Promise<Reported[]>;
}

async function open(scripts: RigOptions["scripts"]): Promise<Chat> {
	const rig = await openRig({
		program: [process.execPath, DRIVE, ...program],
		setup: {
			api: "chat",
			model: MODEL,
			configure: () => ({ env: { CURSORWIRE_TEST_CHROMIUM: findCommand("chromium") } }),
			start: (job, { work }) => [work, job],
			resume: () => [],
			tools: {} as never,
			serves: [],
			refused: { code: 1, tries: 1 },
		},
		settings: { http1: false },
		scripts,
	});
	const file = join(rig.place.home, ".config", "Code", "User", "chatLanguageModels.json");
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, BEFORE);
	return {
		rig,
		file,
		async run(...prompts) {
			const { code, output } = await rig.start(JSON.stringify({ prompts, model: MODEL }));
			const reported = output.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
			expect({ code, errors: reported.filter(({ error }) => error) }, output).toEqual({ code: 0, errors: [] });
			return reported;
		},
	};
}

async function cursorwire({ place }: Rig, ...args: string[]): Promise<void> {
	const env = { HOME: place.home, CURSORWIRE_KEY: place.key };
	expect(await runProgram([...args, "--yes"], env)).toMatchObject({ code: 0, err: "" });
}

whole("VS Code has the models that `connect vscode` wrote, uses a tool, and gets its file back", async () => {
	const word = `word-${randomBytes(6).toString("hex")}`;
	const { rig, file, run } = await open({
		"What does the note say": ({ path }) =>
			async function* () {
				const args = { filePath: path("note.txt"), startLine: 1, endLine: 9 };
				const [result]: CallResult[] = yield { calls: [{ name: "read_file", arguments: args }] };
				yield { text: `It says ${/word-[0-9a-f]{12}/.exec(result!.text)?.[0]}.` };
			},
	});
	rig.put("note.txt", `${word}\n`);
	await cursorwire(rig, "connect", "vscode", "--url", rig.place.url, "--key", rig.place.key);
	const written = JSON.parse(readFileSync(file, "utf8").replace(/,(?=\s*\])/g, "")).find(
		({ vendor }: { vendor: string }) => vendor === "customendpoint",
	);
	const reported = await run("What does the note say?");
	console.log(`VS Code ${reported[0]!.version}: ${JSON.stringify(reported).slice(0, 300)}`);
	// What `connect` says in a note: without an account of GitHub's they are there from then on.
	expect(reported[0]!.before).toBe(0);
	const listed = reported[1]!.models!.map(({ id, maxInputTokens }) => ({ id, maxInputTokens }));
	expect(listed).toEqual(
		written.models.map(({ id, maxInputTokens }: { id: string; maxInputTokens: number }) => ({ id, maxInputTokens })),
	);
	expect(reported[2]!.reply!.at(-1)).toBe(`It says ${word}.`);
	expect(rig.emulator.stats().runs.started).toBe(1 + rig.model.aside.length);
	expect(rig.answers.filter(({ path }) => path === "parked")).toHaveLength(1);
	await cursorwire(rig, "disconnect", "vscode");
	expect(readFileSync(file, "utf8")).toBe(BEFORE);
});

whole("VS Code names the former response alone on Responses, and the gateway knows what it stands for", async () => {
	const word = `word-${randomBytes(6).toString("hex")}`;
	const { rig, file, run } = await open({
		"Which word was it": () =>
			async function* ({ messages }) {
				yield { text: `It was ${/word-[0-9a-f]{12}/.exec(JSON.stringify(messages))?.[0]}.` };
			},
		"Remember the word": () =>
			async function* () {
				yield { text: "I will." };
			},
	});
	await cursorwire(rig, "connect", "vscode", "--url", rig.place.url, "--key", rig.place.key);
	const chat = readFileSync(file, "utf8");
	writeFileSync(file, chat.replaceAll("chat-completions", "responses").replaceAll("/chat/completions", "/responses"));
	const reported = await run(`Remember the word ${word}.`, "Which word was it?");
	expect(reported.at(-2)!.reply!.at(-1)).toBe(`It was ${word}.`);
	const bodies = rig.exchanges.filter(({ path }) => path === "/v1/responses").map(({ body }) => body);
	const [continued] = bodies.filter(({ previous_response_id: id }) => id !== undefined);
	expect(continued).toBeDefined();
	expect(continued.store).toBeUndefined();
	expect(JSON.stringify(continued.input)).not.toContain(word);
});
