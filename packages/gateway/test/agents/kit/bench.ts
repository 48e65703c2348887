// One agent at work: an emulator with a scripted model, the gateway before it, and a home and a folder to work in.
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Brain, Emulator } from "cursorwire-emulator";
import { startTestGateway } from "../../kit/gateway.ts";
import { temporaryFolder } from "../../kit/program.ts";
import type { Place, Setup } from "./agent.ts";
import { baseEnvironment, type Finished, runAgent } from "./process.ts";
import { type Script, ScriptedModel } from "./scripted-model.ts";

export interface Bench {
	emulator: Emulator;
	model: ScriptedModel;
	place: Place;
	/** The absolute path of a file in the folder the agent works in. */
	path(name: string): string;
	put(name: string, content: string): void;
	content(name: string): string;
	start(prompt: string): Promise<Finished>;
	resume(prompt: string): Promise<Finished>;
}

export interface BenchOptions {
	program: string[];
	setup: Setup;
	http1: boolean;
	/** What the model does for each prompt. */
	scripts: Record<string, (bench: Bench) => Script>;
}

export async function openBench({ program, setup, http1, scripts }: BenchOptions): Promise<Bench> {
	const model = new ScriptedModel((prompt) => {
		const [, script] = Object.entries(scripts).find(([wanted]) => prompt.includes(wanted)) ?? [];
		return script?.(bench);
	});
	const brain: Brain = (turn) => model.play(turn);
	const { emulator, url, key } = await startTestGateway({ emulator: { brain }, settings: { http1 } });
	// Agents report resolved paths, so a linked temporary folder would not compare equal.
	const folder = realpathSync(temporaryFolder());
	const place: Place = { url, key, model: setup.model, home: join(folder, "home"), work: join(folder, "work") };
	const { env = {}, files = {} } = setup.configure(place);
	for (const made of [place.home, join(place.home, "tmp"), place.work]) mkdirSync(made, { recursive: true });
	for (const [path, content] of Object.entries(files)) {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, content);
	}
	const run = (words: string[]) =>
		runAgent({ command: [...program, ...words], cwd: place.work, env: { ...baseEnvironment(place.home), ...env } });
	const bench: Bench = {
		emulator,
		model,
		place,
		path: (name) => join(place.work, name),
		put: (name, content) => writeFileSync(join(place.work, name), content),
		content: (name) => readFileSync(join(place.work, name), "utf8"),
		start: (prompt) => run(setup.start(prompt, place)),
		resume: (prompt) => run(setup.resume(prompt, place)),
	};
	return bench;
}
