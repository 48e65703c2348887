// How each command is run. The first row that matches counts; a command without a row fails the test.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { parse } from "yaml";
import { EXIT_CODES } from "../../../src/cli/exit-codes.ts";
import { freshPair } from "../../kit/credentials/rig.ts";
import { BLOCKS, commandsIn, ROOT, read } from "./collect.ts";
import type { Place, Stage } from "./stage.ts";

type Run = (stage: Stage, command: string) => Promise<void>;

export interface Row {
	match: RegExp;
	run: Run;
	/** Why it is not run as it is. */
	instead?: string;
}

/** It is typed, perhaps with more words behind it, and ends with one of the codes. */
const ends =
	(place: Place = {}, more = "", codes: (number | null)[] = [0]): Run =>
	async (stage, command) => {
		const inClone = command.startsWith("npx ");
		const typed = stage.type(`${command}${more}`, { inClone, ...place });
		expect(codes, typed.output()).toContain(await typed.ended);
	};

/** A server: it is typed, prints its address, answers, and stops when it is told to. */
const serves =
	(path: string, place: Place = {}): Run =>
	async (stage, command) => {
		const typed = stage.type(command, { inClone: command.startsWith("npx "), ...place });
		const [url] = await typed.prints(/https?:\/\/127\.0\.0\.1:\d+/);
		expect((await fetch(`${url}${path}`)).status).toBe(200);
		typed.stop();
		await typed.ended;
	};

/** Clients whose settings are changed, one command at a time for each. */
const clients = new Map<string, Promise<void>>();
const oneAtATime =
	(run: Run): Run =>
	(stage, command) => {
		const client = /connect ([\w-]+)/.exec(command)?.[1] ?? "";
		const turn = (clients.get(client) ?? Promise.resolve()).catch(() => {}).then(() => run(stage, command));
		clients.set(client, turn);
		return turn;
	};

/** In one home, because the gateway knows where a client was connected. */
const connects: Run = (stage, command) =>
	ends(
		{ withGateway: true, env: { HOME: join(stage.folder, "clients") } },
		/--(yes|print)/.test(command) ? "" : " --yes",
	)(stage, command);

/** On a machine of its own, on which a client was connected before. */
const disconnects: Run = (stage, command) => {
	const client = /disconnect ([a-z][\w-]*)/.exec(command)?.[1];
	const before = `cursorwire connect ${client ?? "codex"} --yes --url ${stage.gateway.url} --key ${stage.gateway.key}`;
	const all = client === undefined && !command.includes("--all") ? " --all" : "";
	return ends({}, `${all}${command.includes("--yes") ? "" : " --yes"}`)(stage, `${before} && ${command}`);
};

/** The page that a login prints is opened and approved. */
const signsIn: Run = async (stage, command) => {
	const typed = stage.type(command, { inClone: command.startsWith("npx "), env: { CURSOR_API_KEY: "" } });
	const [page] = await typed.prints(/http:\/\/127\.0\.0\.1:\d+\/loginDeepControl\?\S+/);
	await fetch(page);
	const uuid = new URL(page).searchParams.get("uuid")!;
	const body = new URLSearchParams({ uuid });
	await fetch(`${stage.emulator.url}/loginDeepControl/approve`, { method: "POST", body });
	expect(await typed.ended, typed.output()).toBe(0);
};

const pastesToken: Run = async (stage, command) => {
	const { accessToken } = await freshPair(stage.emulator);
	await ends({ env: { CURSOR_API_KEY: "" }, input: `user_1::${accessToken.reveal()}\n` })(stage, command);
};

const imports: Run = async (stage, command) => {
	const { accessToken, refreshToken } = await freshPair(stage.emulator);
	const HOME = join(stage.folder, "signed-in");
	mkdirSync(join(HOME, ".config", "cursor"), { recursive: true });
	const tokens = { accessToken: accessToken.reveal(), refreshToken: refreshToken.reveal() };
	writeFileSync(join(HOME, ".config", "cursor", "auth.json"), JSON.stringify(tokens));
	await ends({ env: { HOME, CURSOR_API_KEY: "" } })(stage, command);
};

/** The program's part of a command that goes through Docker, and the names that Docker is given. */
const inContainer: Run = async (stage, command) => {
	const { services } = parse(read("compose.yaml")!);
	expect(services).toHaveProperty("cursorwire");
	expect(read("Dockerfile")).toContain('ENTRYPOINT ["cursorwire"]');
	const inside = /^docker compose (?:exec cursorwire (.*)|run --rm (cursorwire .*))$/.exec(command);
	const typed = inside?.[1] ?? inside?.[2];
	if (typed !== undefined) await rowOf(typed)!.run(stage, typed);
};

/** A demo in the clone, with npm itself: what it prints is typed as it is printed, in another terminal. */
async function demoLeadsOn(stage: Stage, command: string): Promise<void> {
	const real = { inClone: true, env: { PATH: process.env.PATH!, HOME: join(stage.folder, "clone-home") } };
	mkdirSync(real.env.HOME, { recursive: true });
	const demo = stage.type(command, { ...real, withGateway: false, env: { ...real.env, CURSORWIRE_DATA_DIR: "" } });
	await demo.prints(/Ctrl-C/);
	const [curl] = /curl .*/.exec(demo.output())!;
	const asked = stage.type(`${curl} -s --fail`);
	expect(await asked.ended, asked.output()).toBe(0);
	expect(JSON.parse(asked.output()).choices[0].message.content).toContain("Say hello");
	const [hint] = commandsIn(demo.output());
	expect(hint).toBe("npx cursorwire connect opencode");
	const hinted = stage.type(`${hint} --print`, { ...real, env: { ...real.env, CURSORWIRE_DATA_DIR: "" } });
	expect(await hinted.ended, hinted.output()).toBe(0);
	expect(hinted.output()).toContain("@ai-sdk/openai-compatible");
	demo.stop();
	await demo.ended;
}

/** The script exists, and so does the program that it starts. */
const isScript: Run = async (_, command) => {
	const { scripts } = JSON.parse(read("package.json")!);
	const script: string | undefined = scripts[/^npm run ([\w:-]+)/.exec(command)![1]!];
	expect(script, "no such script").toBeDefined();
	const [program = "", ...words] = script!.split(" ");
	const file = program === "node" ? words.find((word) => /\.m?[jt]s$/.test(word)) : `node_modules/.bin/${program}`;
	expect(program === "npm" || existsSync(join(ROOT, file!)), script).toBe(true);
};

const isInFile =
	(file: string, ...texts: string[]): Run =>
	async () => {
		for (const text of texts) expect(read(file)).toContain(text);
	};

const GLOBAL_TEST = "packages/gateway/test/pack/install-global.pack.ts";
const shared: Place = { withGateway: true };

const PROGRAM_ROWS: Row[] = [
	{ match: /^(npx )?cursorwire(-emulator)?\b.* --(help|version)$/, run: ends() },
	{ match: /^(npx )?cursorwire (demo|serve)\b/, run: serves("/healthz") },
	{
		match: /^npx cursorwire-emulator --brain/,
		run: async (stage, command) => {
			const { text } = BLOCKS.find((block) => block.text.startsWith("// my-brain.mjs"))!;
			writeFileSync(join(stage.folder, "my-brain.mjs"), text);
			await serves("/__emulator/stats", { inClone: false })(stage, command.replace("./my", `${stage.folder}/my`));
		},
	},
	{
		match: /^(npx )?cursorwire(-emulator| emulate)\b/,
		run: (stage, command) =>
			serves("/__emulator/stats")(stage, /--port/.test(command) ? command : `${command} --port 0`),
	},
	{ match: /^(npx )?cursorwire connect( sdk)?$/, run: ends(shared) },
	{ match: /^(npx )?cursorwire connect [\w-]+/, run: oneAtATime(connects) },
	{ match: /^(npx )?cursorwire disconnect\b/, run: disconnects },
	{ match: /^(npx )?cursorwire login --api-key$/, run: ends({ env: { CURSOR_API_KEY: "" }, input: "key_test\n" }) },
	{ match: /^(npx )?cursorwire login --session-token$/, run: pastesToken },
	{ match: /^(npx )?cursorwire login --import$/, run: imports },
	{ match: /^(npx )?cursorwire login( --no-browser)?$/, run: signsIn },
	{ match: /^(npx )?cursorwire logout$/, run: ends({ env: { CURSOR_API_KEY: "" } }) },
	{ match: /^(npx )?cursorwire calibrate .*--(dry-run|yes)/, run: ends() },
	{ match: /^(npx )?cursorwire calibrate\b/, run: ends({}, " --dry-run"), instead: "it asks before it spends turns" },
	{ match: /^(npx )?cursorwire doctor\b/, run: ends(shared) },
	{ match: /^(npx )?cursorwire service install --print$/, run: ends() },
	{
		match: /^(npx )?cursorwire service install$/,
		run: ends({}, " --print"),
		instead: "no service is installed by a test",
	},
	{ match: /^(npx )?cursorwire service status$/, run: ends({}, "", [EXIT_CODES.ok.code, EXIT_CODES.noGateway.code]) },
	{ match: /^(npx )?cursorwire service$/, run: ends({}, " --help"), instead: "it needs a command behind it" },
	{
		match: /^(npx )?cursorwire keys revoke laptop$/,
		run: (stage, command) => ends()(stage, `cursorwire keys add laptop && ${command}`),
	},
	{ match: /^(npx )?cursorwire (keys( show| list)?)$/, run: ends(shared) },
	{
		match: /^(npx )?cursorwire completion \w+ > /,
		run: async (stage, command) => {
			const file = join(stage.folder, "completions");
			await ends()(stage, command.replace(/ > .*/, ` > ${file} && test -s ${file}`));
		},
		instead: "where it is written to belongs to the shells of this machine",
	},
	{ match: /^(npx )?cursorwire [a-z]/, run: ends() },
];

export const ROWS: Row[] = [
	{ match: /^npx cursorwire@<version> /, run: isInFile("RELEASING.md", "npx"), instead: "it needs a release" },
	{ match: /^npx vitest run <files>$/, run: (stage) => ends()(stage, "npx vitest --version") },
	...PROGRAM_ROWS,
	{ match: /^npm start$/, run: (stage) => demoLeadsOn(stage, "npm start") },
	{
		match: /^npm install(?! -)( && npm test)?$|^npm test$|^node scripts\/install\.mjs$/,
		run: isInFile(".ci/run", "node scripts/install.mjs", "npm test"),
		instead: "it runs this very test; CI calls it",
	},
	{
		match: /^npm (run (un)?install:global|install --global|pack)\b/,
		run: isInFile(GLOBAL_TEST, "install:global", "uninstall:global", "--prefix"),
		instead: "npm run test:packages runs it, with a prefix of its own",
	},
	{
		match: /^npm run bench:emulator$/,
		run: ends({ inClone: true, env: { STREAMS: "20", HOLD: "1", TURNS: "20", CLIENTS: "2" } }),
	},
	{ match: /^npm run [\w:-]+/, run: isScript, instead: "it takes long, or changes this checkout" },
	{
		match: /^npm (ci|audit|publish)\b|^npm --prefix <clone> start$|^node <path>$/,
		run: isInFile("RELEASING.md", "npm publish"),
		instead: "it is spoken about, or belongs to a release",
	},
	{ match: /^docker (compose|build|run)\b/, run: inContainer, instead: "there is no Docker in a test" },
	{
		match: /^opencode (auth (login|logout)|models cursor)$/,
		run: isInFile("packages/opencode/test/pack/opencode.pack.ts", '"auth", "login"', '"models", "cursor"'),
		instead: "npm run test:packages runs the real OpenCode",
	},
	{
		match: /^curl /,
		run: (stage, command) => {
			const typed = command.replaceAll("http://127.0.0.1:4280", stage.gateway.url);
			return ends({ env: { CURSORWIRE_KEY: stage.gateway.key } }, " --fail -s")(stage, typed);
		},
	},
	{
		match: /^openssl rand /,
		// Not every machine has it, and the gateway does not need it.
		run: (stage, command) => ends()(stage, `if command -v openssl; then ${command}; fi`),
	},
	{ match: /^(export|eval) /, run: ends(shared) },
];

export function rowOf(command: string): Row | undefined {
	return ROWS.find(({ match }) => match.test(command));
}
