import { type Brain, startEmulator } from "cursorwire-emulator";
import { onTestFinished } from "vitest";
import { say } from "../kit/hostile/rig.ts";
import { temporaryFolder } from "../kit/program.ts";
import { serve } from "../kit/served.ts";

/** A gateway with `preload` in it, and an answer of which the client has seen the beginning: `release` lets it end. */
export async function serveHeldAnswer(preload: string, settings: Record<string, string>) {
	let release = () => {};
	const released = new Promise<void>((resolve) => {
		release = resolve;
	});
	const brain: Brain = async function* (turn) {
		yield { text: "first " };
		if (turn.prompt === "wait") await released;
		yield { text: "and last" };
	};
	const emulator = await startEmulator({ brain });
	onTestFinished(() => emulator.close());
	const env = { NODE_OPTIONS: `--import=${preload}`, ...settings };
	const { ask, program } = await serve({ upstream: emulator.url, dataDir: temporaryFolder(), env });
	const answer = await ask(say("wait", { stream: true }));
	return { emulator, ask, program, answer, release };
}

/** What such an answer is when it has ended well. */
export const WHOLE_ANSWER = /and last[\s\S]*\[DONE\]/;
