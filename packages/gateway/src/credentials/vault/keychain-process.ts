import { type ChildProcess, fork } from "node:child_process";
import { isSea } from "node:sea";
import { keychainProgram } from "../../keychain-program.ts";
import { SINGLE_EXECUTABLE } from "./keychain-failure.ts";
import type { KeychainEntry, LoadKeychain } from "./keychain-vault.ts";

// The keychain is asked by a child process (ADR 29). It starts with the first question and ends after a pause.

interface Request {
	call: "load" | "getPassword" | "setPassword" | "deleteCredential";
	service?: string;
	account?: string;
	text?: string;
}

interface Reply {
	id: number;
	value?: unknown;
	error?: { code?: string; message: string };
}

interface Started {
	child: ChildProcess;
	waiting: Map<number, (reply: Omit<Reply, "id">) => void>;
	idle: NodeJS.Timeout | undefined;
}

const IDLE_MS = 15_000;

let started: Started | undefined;
let questions = 0;

/** The module is optional: systems without it, or without a prebuilt binary, use a file. */
export const loadKeychain: LoadKeychain = async (signal) => {
	if (isSea()) throw Object.assign(new Error("a single executable has no modules"), { code: SINGLE_EXECUTABLE });
	await ask({ call: "load" }, signal);
	return { AsyncEntry: RemoteEntry };
};

/** An entry of the keychain, in the child process. */
class RemoteEntry implements KeychainEntry {
	readonly #name: { service: string; account: string };

	constructor(service: string, account: string) {
		this.#name = { service, account };
	}

	async getPassword(signal?: AbortSignal): Promise<string | null | undefined> {
		return (await ask({ call: "getPassword", ...this.#name }, signal)) as string | null | undefined;
	}

	async setPassword(text: string, signal?: AbortSignal): Promise<void> {
		await ask({ call: "setPassword", ...this.#name, text }, signal);
	}

	deleteCredential(signal?: AbortSignal): Promise<unknown> {
		return ask({ call: "deleteCredential", ...this.#name }, signal);
	}
}

function ask(request: Request, signal?: AbortSignal): Promise<unknown> {
	started ??= start();
	const asked = started;
	const id = ++questions;
	clearTimeout(asked.idle);
	setRef(asked, true);
	const giveUp = () => end(asked, "it was given up");
	return new Promise<unknown>((resolve, reject) => {
		asked.waiting.set(id, ({ value, error }) => {
			if (error === undefined) resolve(value);
			else reject(Object.assign(new Error(error.message), { code: error.code }));
		});
		signal?.addEventListener("abort", giveUp);
		asked.child.send({ id, request }, (error) => error && end(asked, error.message));
	}).finally(() => signal?.removeEventListener("abort", giveUp));
}

function start(): Started {
	// Without the flags of this process, such as one for a debugger's port.
	const child = fork(keychainProgram(), [], { execArgv: [], stdio: ["ignore", "ignore", "ignore", "ipc"] });
	const made: Started = { child, waiting: new Map(), idle: undefined };
	child.on("message", ({ id, ...reply }: Reply) => {
		made.waiting.get(id)?.(reply);
		made.waiting.delete(id);
		if (made.waiting.size > 0) return;
		setRef(made, false);
		made.idle = setTimeout(() => end(made, "it was idle"), IDLE_MS).unref();
	});
	child.on("error", (error) => end(made, error.message));
	child.on("exit", () => end(made, "it ended"));
	return made;
}

/** A child that has nothing to do must not keep this process alive. */
function setRef({ child }: Started, isBusy: boolean): void {
	if (isBusy) {
		child.ref();
		child.channel?.ref();
	} else {
		child.unref();
		child.channel?.unref();
	}
}

function end(ended: Started, reason: string): void {
	if (started === ended) started = undefined;
	clearTimeout(ended.idle);
	setRef(ended, false);
	ended.child.kill("SIGKILL");
	const message = `the process that asks the keychain is gone: ${reason}`;
	for (const answer of ended.waiting.values()) answer({ error: { message } });
	ended.waiting.clear();
}
