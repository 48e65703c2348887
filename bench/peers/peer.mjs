// Other gateways, started by a command line. See "Peers" in docs/performance.md.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { COLLECTOR, freePort } from "../participants.mjs";
import { family, listening, startShell, stop } from "../processes.mjs";

const RESERVED = new Set(["lean", "gateway", "direct"]);
const KEY = "bench";
/** A proxy would stand between the peer and the upstream. */
const FOREIGN = /^(HTTPS?_PROXY|ALL_PROXY)$/i;

const folders = [];
process.on("exit", () => {
	for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Peers from texts such as `name:command`. */
export function readPeers(texts) {
	const peers = texts.map((text) => {
		const [, name, command] = /^\s*([\w.-]+):(.+)$/s.exec(text) ?? [];
		if (name === undefined || RESERVED.has(name)) throw new Error(`a peer is given as name:command, not as "${text}"`);
		return { name, command: command.trim() };
	});
	const names = new Set(peers.map(({ name }) => name));
	if (names.size < peers.length) throw new Error("two peers have the same name");
	return peers;
}

/** Starts a peer in a new folder. It may leave a file client.json there, with the headers and the model to send. */
export async function startPeer({ name, command }, upstream) {
	const folder = await mkdtemp(join(tmpdir(), "cursorwire-bench-peer-"));
	folders.push(folder);
	const port = await freePort();
	const inherited = Object.entries(process.env).filter(([variable]) => !FOREIGN.test(variable));
	const environment = {
		...Object.fromEntries(inherited),
		BENCH_UPSTREAM: upstream.url,
		BENCH_OPENAI: `${upstream.url}/v1`,
		BENCH_PORT: String(port),
		BENCH_KEY: KEY,
		BENCH_FOLDER: folder,
		NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --import=${pathToFileURL(COLLECTOR)}`.trim(),
	};
	const child = startShell(command, environment);
	try {
		await listening(child, port);
	} catch (error) {
		await stop(child);
		throw error;
	}
	const collectors = () => family(child.pid).filter((pid) => readdirSync(folder).includes(`collects-${pid}`));
	return {
		name,
		isPeer: true,
		child,
		pid: child.pid,
		port,
		keys: [KEY],
		model: "auto",
		collectors,
		...clientOf(folder),
	};
}

function clientOf(folder) {
	try {
		const { model = "auto", headers = {} } = JSON.parse(readFileSync(join(folder, "client.json"), "utf8"));
		return { model, headers };
	} catch (error) {
		if (error.code === "ENOENT") return {};
		throw error;
	}
}
