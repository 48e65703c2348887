import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Emulator } from "../../src/index.ts";
import { callOver } from "./call-over.ts";

const BIN = fileURLToPath(new URL("../../bin/cursorwire-emulator.mjs", import.meta.url));

/** The emulator as a program of its own, so that a test can see whether it lives. */
export class EmulatorProcess {
	readonly #child: ChildProcess;
	readonly url: string;
	readonly ca: string | undefined;
	errors = "";

	private constructor(child: ChildProcess, url: string, ca: string | undefined) {
		this.#child = child;
		this.url = url;
		this.ca = ca;
		child.stderr!.on("data", (chunk) => {
			this.errors += chunk;
		});
	}

	static async start(...args: string[]): Promise<EmulatorProcess> {
		const child = spawn(process.execPath, [BIN, "--port", "0", "--json", ...args]);
		const line = await new Promise<string>((resolve, reject) => {
			let out = "";
			let errors = "";
			child.stdout.on("data", (chunk) => {
				out += chunk;
				if (out.includes("\n")) resolve(out);
			});
			child.stderr.on("data", (chunk) => {
				errors += chunk;
			});
			child.on("exit", () => reject(new Error(`the emulator did not start: ${errors}`)));
		});
		const { url } = JSON.parse(line) as { url: string };
		const ca = url.startsWith("https:")
			? (await callOver({ url, ca: undefined }, "GET", "/__emulator/ca.pem")).body
			: undefined;
		return new EmulatorProcess(child, url, ca);
	}

	/** What a client needs of an emulator. */
	get asEmulator(): Emulator {
		return { url: this.url, ca: this.ca } as Emulator;
	}

	get alive(): boolean {
		return this.#child.exitCode === null && this.#child.signalCode === null;
	}

	async control(method: string, path: string, body?: object): Promise<unknown> {
		const { status, body: text } = await callOver(this, method, `/__emulator/${path}`, body);
		if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`);
		return JSON.parse(text);
	}

	async stop(): Promise<void> {
		if (!this.alive) return;
		const ended = new Promise<void>((resolve) => this.#child.on("exit", () => resolve()));
		this.#child.kill("SIGTERM");
		await ended;
	}
}
