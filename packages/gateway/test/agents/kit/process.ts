// An agent's process: in a group of its own, with an environment of its own and a limit to its time.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { onTestFinished } from "vitest";
import { endGroup, expectNobodyLeft, groups, MARK } from "./process-groups.ts";

/** Far more than any task takes on a busy machine; it ends an agent that hangs. */
const LIMIT_MS = 600_000;
const TAIL_CHARS = 4_000;
/** How long pipes may stay open after the end; something that was left running may hold them. */
const LAST_WORDS_MS = 2_000;

export interface Finished {
	code: number | null;
	/** Both outputs, without colours. */
	output: string;
}

export interface Job {
	command: string[];
	cwd: string;
	env: Record<string, string>;
}

export interface Running {
	child: ChildProcessWithoutNullStreams;
	/** Fails when the time is over, with the last of what was said. */
	ended: Promise<Finished>;
}

/** An agent that is asked by its command line alone. */
export function runAgent(job: Job): Promise<Finished> {
	const { child, ended } = startAgent(job);
	child.stdin.end();
	return ended;
}

export function startAgent({ command: [program, ...args], cwd, env }: Job): Running {
	const mark = randomUUID();
	const child = spawn(program!, args, { cwd, env: { ...env, [MARK]: mark }, stdio: "pipe", detached: true });
	const group = child.pid!;
	groups.add(group);
	onTestFinished(() => endGroup(group));
	let output = "";
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding("utf8").on("data", (chunk: string) => {
			output += chunk;
		});
	}
	// Whoever ends without reading its input makes the write fail; its exit code says more.
	child.stdin.on("error", () => {});
	let late = false;
	const limit = setTimeout(() => {
		late = true;
		endGroup(group);
	}, LIMIT_MS);
	const exited = new Promise<number | null>((resolve, reject) => {
		child.once("error", reject);
		child.once("close", resolve);
		child.once("exit", (code) => setTimeout(resolve, LAST_WORDS_MS, code));
	});
	const settle = async (): Promise<Finished> => {
		const code = await exited.finally(() => {
			clearTimeout(limit);
			endGroup(group);
		});
		const shown = withoutColours(output);
		if (late) throw new Error(`not finished after ${LIMIT_MS / 1000} s; it said:\n${shown.slice(-TAIL_CHARS)}`);
		await expectNobodyLeft(mark);
		return { code, output: shown };
	};
	return { child, ended: settle() };
}

/** What any program needs; whatever is not on this machine it has to reach through the proxy. */
export function baseEnvironment(home: string, proxy: string): Record<string, string> {
	return {
		PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
		HOME: home,
		XDG_CONFIG_HOME: `${home}/.config`,
		XDG_DATA_HOME: `${home}/.local/share`,
		XDG_STATE_HOME: `${home}/.local/state`,
		XDG_CACHE_HOME: `${home}/.cache`,
		TMPDIR: `${home}/tmp`,
		LANG: "C.UTF-8",
		TERM: "dumb",
		SHELL: "/bin/bash",
		NO_COLOR: "1",
		CI: "1",
		DO_NOT_TRACK: "1",
		HTTPS_PROXY: proxy,
		HTTP_PROXY: proxy,
		NO_PROXY: "127.0.0.1,localhost",
	};
}

function withoutColours(text: string): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
	return text.replaceAll(/\u001b\[[0-9;?]*[A-Za-z]/g, "");
}
