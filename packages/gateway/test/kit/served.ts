// `cursorwire serve` as a child process.
import { startProgram } from "./program.ts";

export interface Served {
	url: string;
	key: string;
	pid: number;
	program: ReturnType<typeof startProgram>;
	/** POST of a chat body with the key. */
	ask(body: object, init?: RequestInit): Promise<Response>;
}

export interface ServeOptions {
	upstream: string;
	dataDir: string;
	flags?: string[];
	env?: Record<string, string>;
	/** A command in front of the program. */
	under?: string[];
	nodeFlags?: string[];
}

/** Resolves when it says that it is ready. */
export async function serve(options: ServeOptions): Promise<Served> {
	const { upstream, dataDir, flags = [], env = {}, under = [], nodeFlags = [] } = options;
	const args = ["serve", "--port", "0", "--json", "--upstream", upstream, "--data-dir", dataDir, ...flags];
	const program = startProgram(args, { CURSOR_API_KEY: "key_test", ...env }, { under, nodeFlags });
	const [line] = await program.prints(/^\{.*\}$/m);
	const ready: { url: string; key: string; pid: number } = JSON.parse(line);
	return {
		...ready,
		program,
		ask: (body, init = {}) =>
			fetch(`${ready.url}/v1/chat/completions`, {
				method: "POST",
				body: JSON.stringify(body),
				headers: { authorization: `Bearer ${ready.key}`, "content-type": "application/json" },
				...init,
			}),
	};
}
