// An agent's process: in a group of its own, with an environment of its own and a limit to its time.
import { spawn } from "node:child_process";
import { dirname } from "node:path";
import { onTestFinished } from "vitest";

/** Far more than any task takes on a busy machine; it ends an agent that hangs. */
const LIMIT_MS = 90_000;
const TAIL_CHARS = 4_000;

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

export async function runAgent({ command: [program, ...args], cwd, env }: Job): Promise<Finished> {
	const child = spawn(program!, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
	const endGroup = () => {
		try {
			process.kill(-child.pid!, "SIGKILL");
		} catch {
			// Nobody is left in the group.
		}
	};
	onTestFinished(endGroup);
	let output = "";
	const collect = (chunk: Buffer) => {
		output += chunk.toString();
	};
	child.stdout.on("data", collect);
	child.stderr.on("data", collect);
	let late = false;
	const limit = setTimeout(() => {
		late = true;
		endGroup();
	}, LIMIT_MS);
	try {
		const code = await new Promise<number | null>((resolve, reject) => {
			child.once("error", reject);
			// Something it left running may hold the pipes open, so its own end counts.
			child.once("exit", (status) => setTimeout(resolve, 50, status));
		});
		const shown = withoutColours(output);
		if (late) throw new Error(`not finished after ${LIMIT_MS / 1000} s; it said:\n${shown.slice(-TAIL_CHARS)}`);
		return { code, output: shown };
	} finally {
		clearTimeout(limit);
		endGroup();
	}
}

/** What any program needs, and a proxy that nobody listens on: no word leaves the machine, and none is waited for. */
export function baseEnvironment(home: string): Record<string, string> {
	const nowhere = "http://127.0.0.1:9";
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
		HTTPS_PROXY: nowhere,
		NO_PROXY: "127.0.0.1,localhost",
	};
}

function withoutColours(text: string): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
	return text.replaceAll(/\u001b\[[0-9;?]*[A-Za-z]/g, "");
}
