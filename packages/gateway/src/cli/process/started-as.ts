import { readFileSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { isSea } from "node:sea";
import { asStarted, setStartedAs } from "../../text/as-started.ts";
import { type Disk, programName } from "./program-name.ts";

const DISK: Disk = {
	realPath: (file) => attempt(() => realpathSync(file)),
	text: (file) => attempt(() => readFileSync(file, "utf8")),
};

/** From here on, whatever this process says names commands in the form in which it was started. */
export function speakAsStarted(): void {
	const { argv, env, execPath, platform } = process;
	const script = isSea() || argv[1] === undefined ? undefined : resolve(argv[1]);
	// npm changes into the folder of the package before it starts a script.
	setStartedAs(programName({ platform, execPath, script, env, folder: env.INIT_CWD ?? process.cwd() }, DISK));
	for (const stream of [process.stdout, process.stderr]) translate(stream);
}

/** Strings are this program's words. Bytes are somebody else's, such as a model's reply, and remain as they are. */
function translate(stream: NodeJS.WriteStream): void {
	const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
	stream.write = (chunk: unknown, ...rest: unknown[]) =>
		write(typeof chunk === "string" ? asStarted(chunk) : chunk, ...rest);
}

function attempt<T>(work: () => T): T | undefined {
	try {
		return work();
	} catch {
		return undefined;
	}
}
