// The processes of the soak: the emulator, the gateway with a probe in it, and keys for it.
import { execFile, fork } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort } from "../participants.mjs";
import { adopt, listening, message, rssKilobytes } from "../processes.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const EMULATOR = here("../../packages/emulator/bin/cursorwire-emulator.mjs");
const SETTLE_MILLISECONDS = 20_000;
/** Faults that a client does not notice: they strike before any output, or only change the form of the bytes. */
export const SILENT_FAULTS = [
	"goaway@frame:3%1/Run",
	"delay=30@frame:2%3/Run",
	"slice=5@frame:2%3/Run",
	"gzip@frame:3%3/Run",
	"empty-frame@frame:2%2/Run",
	"unknown-update@frame:2%2/Run",
	"new-fields@frame:2%2/Run",
];

/** Faults that may reach a client as an error. They break a stream or the connection, so only one client runs then. */
export const WIRE_FAULTS = [
	"reset=REFUSED_STREAM@headers*1/Run",
	"reset@headers*1/Run",
	"reset@frame:3*1/Run",
	"cut@headers*1/Run",
	"cut@frame:4*1/Run",
	"status=503@headers*1/Run",
	"html=502@headers*1/Run",
	"truncate@frame:3*1/Run",
	"no-end-stream@frame:4*1/Run",
	"huge-length@frame:3*1/Run",
	"reserved-flags@frame:3*1/Run",
	"error=unavailable@frame:4*1/Run",
	"bad-error=not-json@end*1/Run",
	"data-after-end@end*1/Run",
	"linger@after-end*1/Run",
];

async function startEmulator() {
	// With a plan that so many turns do not use up.
	const accounts = here("accounts.json");
	const args = ["--port", "0", "--json", "--log", "0", "--brain", here("brain.mjs"), "--accounts", accounts];
	// Its stderr only repeats the errors that the soak asked for.
	const child = adopt(fork(EMULATOR, args, { stdio: ["ignore", "pipe", "ignore", "ipc"] }));
	const line = await new Promise((resolve, reject) => {
		createInterface({ input: child.stdout }).once("line", resolve);
		child.once("exit", (code) => reject(new Error(`the emulator ended: ${code}`)));
	});
	const { url } = JSON.parse(line);
	const control = `${url}/__emulator`;
	/** Arms these faults and no others. */
	const arm = async (faults) => {
		await fetch(`${control}/faults`, { method: "DELETE" });
		for (const fault of faults) await fetch(`${control}/faults`, { method: "POST", body: JSON.stringify({ fault }) });
	};
	return { child, url, arm, stats: async () => (await fetch(`${control}/stats`)).json() };
}

/** Starts the emulator and the gateway. `program` is the file to run as `cursorwire`. */
export async function startSystem(program) {
	const folder = await mkdtemp(join(tmpdir(), "cursorwire-soak-"));
	process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
	const emulator = await startEmulator();
	const env = {
		PATH: process.env.PATH,
		HOME: folder,
		CURSORWIRE_UPSTREAM: emulator.url,
		CURSORWIRE_DATA_DIR: folder,
		CURSORWIRE_VAULT: "file",
		CURSOR_API_KEY: "key_soak",
	};
	const keys = async (...args) =>
		JSON.parse((await promisify(execFile)(process.execPath, [program, "keys", ...args, "--json"], { env })).stdout);
	const port = await freePort();
	const gateway = adopt(
		fork(program, ["serve", "--port", String(port), "--log-level", "error"], {
			env,
			execArgv: ["--expose-gc", "--import", here("probe.mjs")],
			stdio: ["ignore", "ignore", "pipe", "ipc"],
		}),
	);
	gateway.errors = "";
	gateway.stderr.on("data", (chunk) => {
		gateway.errors = (gateway.errors + chunk).slice(-4000);
	});
	await listening(gateway, port);
	return new SoakSystem({ emulator, gateway, port, keys });
}

class SoakSystem {
	#leavers = 0;

	constructor(parts) {
		Object.assign(this, parts);
	}

	async makeKeys(count) {
		this.clientKeys = [];
		for (let at = 0; at < count; at++) this.clientKeys.push((await this.keys("add", `client ${at}`)).key);
		await this.#newLeaver();
	}

	async #newLeaver() {
		this.leaver = `leaver ${++this.#leavers}`;
		this.leaverKey = (await this.keys("add", this.leaver)).key;
	}

	/** Revokes the key of the calls that stay open, so that their runs end, and waits until no upstream stream is open. */
	async rest() {
		await this.keys("revoke", this.leaver);
		await this.#newLeaver();
		const deadline = Date.now() + SETTLE_MILLISECONDS;
		let quiet = 0;
		// Twice in a row, because an abandoned request may be about to start.
		while (quiet < 2 && Date.now() < deadline) {
			await sleep(250);
			quiet = (await this.emulator.stats()).streams.open === 0 ? quiet + 1 : 0;
		}
		await sleep(500);
	}

	async measure(minutes) {
		const { pid } = this.gateway;
		this.gateway.send("measure");
		const { resources, heapBytes } = await message(this.gateway);
		const { streams } = await this.emulator.stats();
		return {
			minutes,
			rssMegabytes: rssKilobytes(pid) / 1024,
			heapMegabytes: heapBytes / (1 << 20),
			descriptors: readdirSync(`/proc/${pid}/fd`).length,
			handles: Object.values(resources).reduce((sum, count) => sum + count, 0),
			resources,
			upstreamStreams: streams.open,
		};
	}
}
