// Everything a stranger can get wrong in the first five minutes: one line with a next step, the documented exit code.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator } from "cursorwire-emulator";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { EXIT_CODES, type Exit } from "../../src/cli/process/exit-codes.ts";
import { sessionTokenCredential } from "../../src/credentials/credential.ts";
import { Secret } from "../../src/credentials/secret.ts";
import { encodeCredential } from "../../src/credentials/vault/credential-text.ts";
import { runProgram, startProgram } from "../kit/program.ts";

const folder = mkdtempSync(join(tmpdir(), "cursorwire-failures-"));
const taken = createServer();
let emulator: Awaited<ReturnType<typeof startEmulator>>;
let takenPort = "";

beforeAll(async () => {
	emulator = await startEmulator();
	await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
	takenPort = String((taken.address() as { port: number }).port);
	// Another user has to get through to the read-only home.
	chmodSync(folder, 0o755);
	for (const name of ["home", "expired", "broken"]) mkdirSync(join(folder, name));
	writeFileSync(join(folder, "broken", "config.json"), "{");
	expireIn(join(folder, "expired"));
	// Nobody may write here, whoever runs the test.
	mkdirSync(join(folder, "readonly"));
	writeFileSync(join(folder, "file"), "");
	chmodSync(join(folder, "readonly"), 0o555);
});
afterAll(async () => {
	taken.close();
	await emulator.close();
	rmSync(folder, { recursive: true, force: true });
});

/** A login whose token has ended and cannot be renewed. */
function expireIn(dataDir: string): void {
	const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
	const token = `${part({ alg: "none" })}.${part({ sub: "auth0|user_1", iat: 1, exp: 1000 })}.x`;
	const credential = sessionTokenCredential(new URL(emulator.url).origin, new Secret(token), 0);
	mkdirSync(join(dataDir, "credentials"), { mode: 0o700 });
	writeFileSync(join(dataDir, "credentials", "cursor.json"), encodeCredential(credential), { mode: 0o600 });
}

interface Case {
	what: string;
	args: string[];
	env?: () => Record<string, string>;
	exit: Exit;
	line: RegExp;
}

const at = (...path: string[]) => join(folder, ...path);
const CASES: Case[] = [
	{
		what: "a wrong command",
		args: ["sevre"],
		exit: "usage",
		line: /^unknown command 'sevre' \(Did you mean serve\?\)$/,
	},
	{
		what: "a wrong flag",
		args: ["serve", "--prot", "1"],
		exit: "usage",
		line: /^unknown option '--prot' \(Did you mean --port\?\)$/,
	},
	{
		what: "a wrong flag of a subcommand",
		args: ["keys", "add", "x", "--turms", "1"],
		exit: "usage",
		line: /--turms.*--turns/,
	},
	{
		what: "a wrong flag of the emulator",
		args: ["emulate", "--frob"],
		exit: "usage",
		line: /^unknown option '--frob'/,
	},
	{
		what: "a missing argument",
		args: ["keys", "add"],
		exit: "usage",
		line: /^missing required argument 'name' \(see --help/,
	},
	{
		what: "nothing to ask",
		args: ["ask", " "],
		exit: "usage",
		line: /^there is nothing to ask; write `cursorwire ask "a question"`, or send text through a pipe$/,
	},
	{
		what: "a value that cannot be",
		args: ["serve", "--port", "http"],
		exit: "usage",
		line: /^--port: takes a whole number/,
	},
	{ what: "an unknown shell", args: ["completion", "tcsh"], exit: "usage", line: /choose bash, zsh, fish$/ },
	{ what: "an unknown client", args: ["connect", "emacs"], exit: "usage", line: /choose one of opencode, codex/ },
	{
		what: "a limit that cannot be",
		args: ["keys", "add", "x", "--turns", "0"],
		exit: "usage",
		line: /^--turns: takes/,
	},
	{ what: "a key without a name", args: ["keys", "add", ""], exit: "usage", line: /^a key's name is visible text/ },
	{
		what: "a wrong subcommand of keys",
		args: ["keys", "lsit"],
		exit: "usage",
		line: /^unknown command 'keys lsit'; choose list, show, add or revoke$/,
	},
	{
		what: "an empty API key",
		args: ["login", "--api-key", ""],
		exit: "usage",
		line: /^the Cursor API key is empty; leave it out, and you are asked for it$/,
	},
	{
		what: "the variables of a client that needs more",
		args: ["env", "codex"],
		exit: "usage",
		line: /`cursorwire launch codex`, or set it up with `cursorwire connect codex`$/,
	},
	{
		what: "the variables of an unknown client",
		args: ["env", "emacs"],
		exit: "usage",
		line: /choose one of claude,.*, or none for the usual variables$/,
	},
	{ what: "no model", args: ["ask", "-m", "", "x"], exit: "usage", line: /^--model: takes the name of a model/ },
	{ what: "an unknown key", args: ["keys", "revoke", "nobody"], exit: "usage", line: /`cursorwire keys` lists them$/ },
	{
		what: "a broken config file",
		args: ["status"],
		env: () => ({ CURSORWIRE_CONFIG: at("broken", "config.json") }),
		exit: "usage",
		line: /config\.json: .*JSON/,
	},
	{
		what: "a taken port",
		args: ["serve", "--port", "TAKEN"],
		exit: "usage",
		line: /^port \d+ is in use; choose another with --port/,
	},
	{
		what: "a taken port of the demo",
		args: ["demo", "--port", "TAKEN"],
		exit: "usage",
		line: /is in use; choose another with --port/,
	},
	{
		what: "an address of another machine",
		args: ["serve", "--host", "192.0.2.1", "--allow-remote"],
		exit: "usage",
		line: /is not an address of this machine/,
	},
	{
		what: "a missing home",
		args: ["serve"],
		env: () => ({ HOME: at("nowhere") }),
		exit: "usage",
		line: /^the home folder .* does not exist; set HOME, or CURSORWIRE_DATA_DIR/,
	},
	{
		what: "a missing home, at login",
		args: ["login", "--api-key", "k"],
		env: () => ({ HOME: at("nowhere") }),
		exit: "usage",
		line: /^the home folder .* does not exist/,
	},
	...[["serve"], ["demo"], ["keys"], ["login", "--api-key", "k"], ["ask", "x"], ["config"]].map(
		(args): Case => ({
			what: `a file in place of the data folder: ${args[0]}`,
			args,
			env: () => ({ CURSORWIRE_DATA_DIR: at("file") }),
			exit: "usage",
			line: /data folder, because .*file is not a folder; choose another with --data-dir or CURSORWIRE_DATA_DIR$/,
		}),
	),
	{
		what: "a file above the data folder",
		args: ["serve", "--data-dir", at("file", "data")],
		exit: "usage",
		line: /data cannot be the data folder, because .*file is not a folder/,
	},
	{
		what: "a flag with an empty folder",
		args: ["serve", "--data-dir", ""],
		exit: "usage",
		line: /^--data-dir: takes the path of a folder, not an empty text$/,
	},
	{
		what: "no network",
		args: ["ask", "x"],
		env: () => ({ CURSORWIRE_UPSTREAM: "http://127.0.0.1:9", CURSOR_API_KEY: "key_x" }),
		exit: "unreachable",
		line: /cannot be reached.*cursorwire doctor/,
	},
	{
		what: "no network, for models",
		args: ["models"],
		env: () => ({ CURSORWIRE_UPSTREAM: "http://127.0.0.1:9", CURSOR_API_KEY: "key_x" }),
		exit: "unreachable",
		line: /cannot be reached.*cursorwire doctor/,
	},
	{
		what: "a proxy that is not there",
		args: ["usage"],
		env: () => ({
			CURSORWIRE_UPSTREAM: "https://cursor.test",
			CURSOR_API_KEY: "key_x",
			HTTPS_PROXY: "http://127.0.0.1:9",
		}),
		exit: "unreachable",
		line: /cannot|127\.0\.0\.1:9/,
	},
	{
		what: "a file of certificates that is none",
		args: ["models"],
		env: () => ({ CURSORWIRE_CA_FILE: at("file") }),
		exit: "usage",
		line: /holds no PEM certificate/,
	},
	{ what: "no login", args: ["ask", "x"], exit: "signedOut", line: /Run `cursorwire login`\.$/ },
	{
		what: "an expired login",
		args: ["ask", "x"],
		env: () => ({ CURSORWIRE_DATA_DIR: at("expired") }),
		exit: "signedOut",
		line: /expired.*cursorwire login/,
	},
	{
		what: "an expired login, for usage",
		args: ["usage"],
		env: () => ({ CURSORWIRE_DATA_DIR: at("expired") }),
		exit: "signedOut",
		line: /expired.*cursorwire login/,
	},
	{
		what: "no gateway",
		args: ["connect", "aider", "--yes"],
		exit: "noGateway",
		line: /^No gateway is running\. Start one with `cursorwire serve`/,
	},
	{
		what: "no gateway, for a command that takes a file with a key",
		args: ["top"],
		exit: "noGateway",
		line: /^No gateway is running\..* or name it with --url and --key-file\.$/,
	},
	{ what: "no login to calibrate", args: ["calibrate"], exit: "signedOut", line: /Run `cursorwire login`\.$/ },
	{
		what: "a client that is not connected",
		args: ["disconnect", "aider"],
		exit: "usage",
		line: /^"aider" is not connected/,
	},
];

describe("one line, an exit code, no stack trace", () => {
	it.each(CASES)("$what", async ({ args, env, exit, line }) => {
		const words = args.map((word) => (word === "TAKEN" ? takenPort : word));
		const { code, err, out } = await runProgram(words, {
			HOME: at("home"),
			CURSORWIRE_UPSTREAM: emulator.url,
			...env?.(),
		});
		expect(err.trim().split("\n")).toEqual([expect.stringMatching(line)]);
		expect(code).toBe(EXIT_CODES[exit].code);
		expect(out).toBe("");
		expect(err).not.toMatch(/\bat .*:\d+:\d+|Error:/);
	});
});

describe("Ctrl-C, while Cursor does not respond", () => {
	it.each([[["models"]], [["usage"]], [["ask", "x"]]])("ends %j at the first time", async (args) => {
		const silent = createTcpServer();
		onTestFinished(() => void silent.close());
		await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
		const { port } = silent.address() as { port: number };
		const called = new Promise<void>((resolve) => silent.once("connection", () => resolve()));
		const env = { HOME: at("home"), CURSORWIRE_UPSTREAM: `http://127.0.0.1:${port}`, CURSOR_API_KEY: "key_x" };
		const { child, ended } = startProgram(args, env);
		await called;
		child.kill("SIGINT");
		expect(await ended).toEqual({ code: 130, out: "", err: "Cancelled.\n" });
	});
});

/** The file system stops root only where it is mounted read-only, so another user runs it where we are root. */
describe("O2: a read-only home", () => {
	it.each<[args: string[], code: number, line: RegExp]>([
		[["login", "--api-key", "key_x"], 1, /cannot be made \(EACCES\)\. Check the disk and the permissions/],
		[["keys", "add", "x"], 2, /cannot be used .*; repair it, or set CURSORWIRE_DATA_DIR$/],
	])("%j", async (args, code, line) => {
		const env = { HOME: at("readonly"), CURSORWIRE_UPSTREAM: emulator.url };
		const ended = await runProgram(args, env, process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {});
		expect(ended.err.trim().split("\n")).toEqual([expect.stringMatching(line)]);
		expect(ended.code).toBe(code);
	});
});

describe("an old Node", () => {
	const binary = oldNode();

	it.skipIf(binary === undefined)("is told so before anything is loaded", () => {
		const program = new URL("../../bin/cursorwire.mjs", import.meta.url);
		const run = () => execFileSync(binary!, [program.pathname, "serve"], { encoding: "utf8", stdio: "pipe" });
		expect(run).toThrow(
			expect.objectContaining({
				status: EXIT_CODES.oldNode.code,
				stdout: "",
				stderr: "cursorwire needs Node 20.19 or newer, and this is 18.20.8. Install one from https://nodejs.org.\n",
			}),
		);
	});
});

/** Node 18 as npm has it; undefined where the registry or the platform has none. */
function oldNode(): string | undefined {
	const cache = new URL("../../../../.cache/node-18/", import.meta.url).pathname;
	const name = `node-${process.platform}-${process.arch}`;
	try {
		mkdirSync(cache, { recursive: true });
		writeFileSync(join(cache, "package.json"), '{ "private": true }\n');
		const install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", cache, `${name}@18.20.8`];
		execFileSync("npm", install, { cwd: cache, stdio: "ignore" });
		return join(cache, "node_modules", name, "bin", "node");
	} catch {
		return undefined;
	}
}
