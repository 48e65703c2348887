// One emulator, started as a user would: the program with --json and a brain from a file.
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { TRANSPORTS } from "../kit/transports.mjs";
import { startProcess, stopProcess } from "./processes.mjs";

const PROGRAM = fileURLToPath(new URL("../../bin/cursorwire-emulator.mjs", import.meta.url));
const BRAIN = fileURLToPath(new URL("../brain.mjs", import.meta.url));
const ACCOUNTS = fileURLToPath(new URL("../accounts.json", import.meta.url));
const START_LIMIT_MS = 300_000;

/** More requests than all cases send, so that none is dropped from the log before its case has looked at it. */
const LOGGED_REQUESTS = "20000";

/** Short enough for a case to get several within a second. */
const HEARTBEAT_MS = "200";

/** @param {string} transport */
export async function startEmulator(transport) {
	const args = [PROGRAM, "--port", "0", "--json", "--strict", "--auto-approve", "--log", LOGGED_REQUESTS];
	args.push("--brain", BRAIN, "--accounts", ACCOUNTS, "--heartbeat", HEARTBEAT_MS, ...TRANSPORTS[transport].flags);
	const child = startProcess(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
	const errors = tail(child.stderr);
	try {
		const url = await readyUrl(child);
		return { url, errors, stop: () => stopProcess(child) };
	} catch (error) {
		await stopProcess(child);
		throw new Error(`${error.message}\n${errors()}`.trim());
	}
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<string>}
 */
function readyUrl(child) {
	return new Promise((resolve, reject) => {
		const fail = (error) => {
			clearTimeout(limit);
			reject(error);
		};
		const late = new Error(`the emulator was not ready after ${START_LIMIT_MS / 1000} s`);
		const limit = setTimeout(fail, START_LIMIT_MS, late);
		child.once("error", fail);
		child.once("close", () => fail(new Error("the emulator ended before it was ready")));
		// Reads all lines, because a full pipe would block the emulator.
		createInterface({ input: child.stdout }).on("line", (line) => {
			const url = urlIn(line);
			if (url === undefined) return;
			clearTimeout(limit);
			resolve(url);
		});
	});
}

/** @param {string} line */
function urlIn(line) {
	try {
		return JSON.parse(line).url;
	} catch {
		return undefined;
	}
}

/**
 * The end of a process's output, to report with a failure.
 * @param {import("node:stream").Readable} stream
 */
export function tail(stream) {
	let text = "";
	stream.setEncoding("utf8");
	stream.on("data", (chunk) => {
		text = (text + chunk).slice(-4_000);
	});
	return () => text.trim();
}
