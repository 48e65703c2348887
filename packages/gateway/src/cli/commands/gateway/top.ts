import { setTimeout as sleep } from "node:timers/promises";
import type { ChosenGateway } from "../../gateway/find-gateway.ts";
import { askGateway, gatewayOf } from "../../gateway/gateway-command.ts";
import { type Now, topLines } from "../../gateway/top-view.ts";
import type { TopFlags } from "../../options/gateway/top.ts";
import { runCommand } from "../../process/run-command.ts";
import { FullScreen } from "../../terminal/full-screen.ts";
import { painter } from "../../terminal/output.ts";

const DRAWN_EVERY_MS = 1_000;
const ASK_LIMIT_MS = 10_000;

/** `cursorwire top`. */
export function top(flags: TopFlags): Promise<void> {
	return runCommand(async (signal) => {
		const gateway = gatewayOf(flags);
		if (process.stdout.isTTY && !flags.once && !flags.json) return watch(gateway, signal);
		const now = await ask(gateway, signal);
		if (flags.json) return console.log(JSON.stringify(now));
		const columns = process.stdout.columns ?? Number.POSITIVE_INFINITY;
		const lines = topLines(now, { columns, rows: Number.POSITIVE_INFINITY, paint: painter(process.stdout) });
		for (const line of lines) console.log(line);
	});
}

async function ask(gateway: ChosenGateway, signal: AbortSignal): Promise<Now> {
	const limited = AbortSignal.any([signal, AbortSignal.timeout(ASK_LIMIT_MS)]);
	return (await askGateway(gateway, "/v1/cursorwire/now", limited)).json() as Promise<Now>;
}

/** Draws it again and again until the user has seen enough. The first answer is awaited before the screen is taken. */
async function watch(gateway: ChosenGateway, interrupted: AbortSignal): Promise<void> {
	const enough = new AbortController();
	const signal = AbortSignal.any([interrupted, enough.signal]);
	let now = await ask(gateway, signal);
	const paint = painter(process.stdout);
	const draw = () => {
		const { columns, rows } = process.stdout;
		screen.draw([...topLines(now, { columns, rows: rows - 1, paint }), paint("dim", "q: quit")]);
	};
	const screen = new FullScreen(() => enough.abort(), draw);
	process.once("SIGTERM", () => enough.abort());
	try {
		while (!signal.aborted) {
			draw();
			await sleep(DRAWN_EVERY_MS, undefined, { signal });
			now = await ask(gateway, signal);
		}
	} catch (error) {
		if (!signal.aborted) throw error;
	} finally {
		screen.leave();
	}
}
