// One agent at work: an emulator with a scripted model, the gateway before it, and a home and a folder to work in.
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Brain, Emulator } from "cursorwire-emulator";
import type { RunLimits } from "../../../src/upstream/run/run-limits.ts";
import { addLimit } from "../../guard/books.ts";
import { startTestGateway, type TestGatewayOptions } from "../../kit/gateway.ts";
import { temporaryFolder } from "../../kit/program.ts";
import type { Exchange } from "../../prompts/client-request.ts";
import { type SentMessage, startRecordingProxy } from "../../prompts/recording-proxy.ts";
import type { Place, Setup } from "./agent.ts";
import { resumeInEditor } from "./editor-session.ts";
import { baseEnvironment, type Finished, runAgent } from "./process.ts";
import { startRefusingProxy } from "./refusing-proxy.ts";
import { type Script, ScriptedModel } from "./scripted-model.ts";

/** What the gateway logs of an answer. */
interface Answer {
	dialect: string;
	/** How it reached the upstream: `new`, `parked`, `checkpoint` or `rebuild`. */
	path: string;
	status: number;
	errorKind?: string;
}

export interface Rig {
	emulator: Emulator;
	model: ScriptedModel;
	/** Every answer of the gateway, in order. */
	answers: Answer[];
	/** Every request of the agent with its answer. */
	exchanges: Exchange[];
	/** Every message of the agent over WebSockets. */
	sent: SentMessage[];
	place: Place;
	/** The gateway's folder. */
	dataDir: string;
	/** The amounts of the limits that it knows. */
	limitAmounts(): Promise<number[]>;
	/** The channel to the upstream. */
	http1: boolean | undefined;
	/** The absolute path of a file in the folder the agent works in. */
	path(name: string): string;
	put(name: string, content: string): void;
	content(name: string): string;
	start(prompt: string): Promise<Finished>;
	resume(prompt: string): Promise<Finished>;
}

export interface RigOptions {
	program: string[];
	setup: Setup;
	/** The way to the upstream. */
	settings: NonNullable<TestGatewayOptions["settings"]>;
	/** What the model does for each prompt. */
	scripts: Record<string, (rig: Rig) => Script>;
	/** What the model does in runs beside the conversation. */
	aside?: Script;
	/** Where the gateway's own waiting is not to be shortened. */
	limits?: Partial<RunLimits>;
	/** What may be spent. */
	spend?: string;
}

export async function openRig({ program, setup, settings, scripts, aside, limits, spend }: RigOptions): Promise<Rig> {
	const model = new ScriptedModel((prompt) => {
		const [, script] = Object.entries(scripts).find(([wanted]) => prompt.includes(wanted)) ?? [];
		return script?.(rig);
	}, aside);
	const brain: Brain = (turn) => model.play(turn);
	const answers: Answer[] = [];
	const dataDir = temporaryFolder();
	if (spend !== undefined) await addLimit({ dataDir }, spend);
	const gateway = await startTestGateway({
		emulator: { brain, strict: true },
		settings: { ...settings, dataDir, modelAliases: setup.aliases ?? {} },
		...(limits && { limits }),
		onLog: (entry) => {
			if (entry.msg === "turn") answers.push(entry as unknown as Answer);
		},
	});
	const { emulator, key } = gateway;
	const { url, exchanges, sent } = await startRecordingProxy(gateway.url);
	// Agents report resolved paths, so a linked temporary folder would not compare equal.
	const folder = realpathSync(temporaryFolder());
	const place: Place = { url, key, model: setup.model, home: join(folder, "home"), work: join(folder, "work") };
	const { env = {}, files = {} } = setup.configure(place);
	for (const made of [place.home, join(place.home, "tmp"), place.work]) mkdirSync(made, { recursive: true });
	for (const [path, content] of Object.entries(files)) {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, content);
	}
	const proxy = await startRefusingProxy();
	const job = (words: string[]) => ({
		command: [...program, ...words],
		cwd: place.work,
		env: { ...baseEnvironment(place.home, proxy), ...env },
	});
	const rig: Rig = {
		emulator,
		model,
		answers,
		exchanges,
		sent,
		place,
		dataDir,
		async limitAmounts() {
			const usage = (await (await gateway.fetch("/v1/usage")).json()) as { limits: { amount: number }[] };
			return usage.limits.map(({ amount }) => amount);
		},
		http1: settings.http1,
		path: (name) => join(place.work, name),
		put: (name, content) => writeFileSync(join(place.work, name), content),
		content: (name) => readFileSync(join(place.work, name), "utf8"),
		start: (prompt) => runAgent(job(setup.start(prompt, place))),
		resume(prompt) {
			const way = setup.resume(prompt, place);
			return Array.isArray(way) ? runAgent(job(way)) : resumeInEditor(job(way.words), way, prompt);
		},
	};
	return rig;
}
