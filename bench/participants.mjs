// The participants: the fake upstream, the lean limit path, and the gateway as `npm run build` makes it.
import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { copyFile, mkdtemp, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { buildProgram } from "../scripts/build/package.mjs";
import { listening, message, startCommand, startScript } from "./processes.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
// Below the installed packages.
const built = join(root, ".cache/bench");
// The packages find each other here, as where npm installs them.
const packages = join(built, "node_modules");
/** `GATEWAY` names the program of a gateway that is already built. */
const product = process.env.GATEWAY ?? join(packages, "cursorwire/bin/cursorwire.mjs");
// At the same depth below a package.json as in a built package.
const bundles = join(built, "dist");
const roomy = join(bundles, "parked-gateway.mjs");
const stages = join(bundles, "stage-path.mjs");
/** The program that `buildGateway` writes. */
export const builtGateway = product;
/** The same with room for more parked runs. */
export const roomyGateway = roomy;
/** A script for Node's `--import`: with it, SIGUSR2 collects garbage. */
export const COLLECTOR = fileURLToPath(new URL("collect-garbage.mjs", import.meta.url));
/** A key may have 64 turns at once, and a load has 256. */
const KEYS = 5;
const PACKAGES = ["libsql", "pino", "gpt-tokenizer", "@clack/prompts", "zod", "@napi-rs/keyring", "tsx"];
const PROFILE = process.env.PROFILE ? ["--cpu-prof", `--cpu-prof-dir=${process.env.PROFILE}`] : [];
/** Environment variables that would change what the gateway does: its own settings, proxies, certificates. */
const FOREIGN = /^(CURSOR|HTTPS?_PROXY|ALL_PROXY|NODE_EXTRA_CA_CERTS|SSL_CERT_)/i;
/** An unsigned, made-up token (subject auth0|user_1, expires in 2100), which is only sent to the fake upstream. */
const TOKEN = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhdXRoMHx1c2VyXzEiLCJleHAiOjQxMDI0NDQ4MDB9.c2ln";

/** Builds the gateway from the current source as it is published, and the programs of this folder that import it. */
export async function buildGateway() {
	if (process.env.GATEWAY) return;
	for (const name of ["cursorwire-emulator", "cursorwire"]) await buildProgram(name, join(packages, name));
	await build({
		entryPoints: ["bench/parked-gateway.mjs", "bench/stages/stage-path.mjs"].map((file) => join(root, file)),
		entryNames: "[name]",
		outdir: bundles,
		outExtension: { ".js": ".mjs" },
		bundle: true,
		platform: "node",
		format: "esm",
		external: PACKAGES,
		// Some packages only work from their own folder.
		mainFields: ["module", "main"],
		banner: { js: "import { createRequire as cr } from 'node:module'; const require = cr(import.meta.url);" },
		logLevel: "warning",
	});
	await copyFile(join(root, "packages/gateway/package.json"), join(built, "package.json"));
}

/** The upstream with `set(reply)`, `counters()`, and `endRuns()` for runs that nobody will end. */
export async function startUpstream() {
	const { child, first } = await startScript("upstream.mjs");
	const ask = async (question) => {
		child.send(question);
		return (await message(child)).counters;
	};
	return {
		pid: child.pid,
		port: first.port,
		url: `http://127.0.0.1:${first.port}`,
		set: (reply) => ask({ set: reply }),
		counters: () => ask({}),
		endRuns: () => ask({ endRuns: true }),
	};
}

export async function startLean(upstream, { nodeOptions } = {}) {
	const { child, first } = await startScript("lean.mjs", { BENCH_UPSTREAM: upstream.url }, [], nodeOptions);
	const collectors = () => [child.pid];
	return { name: "lean", model: "auto", keys: ["bench"], child, pid: child.pid, port: first.port, collectors };
}

/** Makes a folder with a login and keys for the gateway. `removeNow` deletes it; it works in an exit handler too. */
export async function prepareGateway(upstream) {
	const folder = await mkdtemp(join(tmpdir(), "cursorwire-bench-"));
	const inherited = Object.entries(process.env).filter(([name]) => !FOREIGN.test(name));
	const environment = {
		...Object.fromEntries(inherited),
		CURSORWIRE_UPSTREAM: upstream.url,
		CURSORWIRE_DATA_DIR: folder,
		CURSORWIRE_VAULT: "file",
	};
	const command = (...args) => promisify(execFile)(process.execPath, [product, ...args], { env: environment });
	await command("login", "--session-token", TOKEN);
	const addKey = async (...args) => JSON.parse((await command("keys", "add", ...args, "--json")).stdout).key;
	const keys = [];
	for (let index = 0; index < KEYS; index++) keys.push(await addKey(`bench ${index}`));
	const metricsKey = await addKey("scraper", "--metrics-only");
	return { folder, environment, keys, metricsKey, removeNow: () => rmSync(folder, { recursive: true, force: true }) };
}

/** `startMilliseconds` is the time from the start of the process to an open port. `settings` are environment variables. */
export const startGateway = (
	{ environment, keys, metricsKey },
	{ nodeOptions = [], ipc = false, settings = {} } = {},
) =>
	start(
		{ environment: { ...environment, ...settings }, keys, metricsKey },
		(port) => [...nodeOptions, ...PROFILE, product, "serve", "--port", port, "--log-level", "silent"],
		ipc,
	);

/** The request path without sockets. Resolves with what each stage costs, of the lean path and of the gateway. */
export async function runStages({ environment, keys }, nodeOptions) {
	const child = startCommand([...nodeOptions, stages, JSON.stringify(keys)], environment, true);
	try {
		return await message(child);
	} catch (error) {
		throw new Error(`${error.message}\n${child.errors}`);
	}
}

async function start({ environment, keys, metricsKey }, command, ipc = false) {
	const port = await freePort();
	const child = startCommand(command(String(port)), environment, ipc);
	const startMilliseconds = await listening(child, port);
	const collectors = () => [child.pid];
	const { pid } = child;
	const ownerKey = (await readFile(join(environment.CURSORWIRE_DATA_DIR, "gateway-key"), "utf8")).trim();
	return {
		name: "gateway",
		model: "auto",
		keys,
		metricsKey,
		ownerKey,
		child,
		pid,
		port,
		startMilliseconds,
		collectors,
	};
}

export async function freePort() {
	const server = createServer();
	await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address();
	await new Promise((resolve) => server.close(resolve));
	return port;
}
