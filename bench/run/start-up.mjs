// How long the gateway takes to start, and the memory that it has before any request.
import { setTimeout as sleep } from "node:timers/promises";
import { startGateway, startLean } from "../participants.mjs";
import { cpuOf, rssOf, stop } from "../processes.mjs";
import { median } from "../table.mjs";

const STARTS = 3;
const IDLE_MILLISECONDS = 1000;

async function startOnce(start) {
	const participant = await start();
	const cpu = cpuOf(participant) * 1000;
	await sleep(IDLE_MILLISECONDS);
	const idle = rssOf(participant) / 1024;
	await stop(participant.child);
	return { idle, cpu, milliseconds: participant.startMilliseconds };
}

export async function measureStart(upstream, login) {
	const lean = await startOnce(() => startLean(upstream, { nodeOptions: [] }));
	const starts = [];
	for (let index = 0; index < STARTS; index++) starts.push(await startOnce(() => startGateway(login)));
	const of = (figure) => median(starts.map((one) => one[figure]));
	const row = (label, figure, target) => ({ label, gateway: of(figure), own: true, digits: 0, target });
	const rows = [
		{ ...row("idle RSS, MB", "idle", { atMost: 95 }), lean: lean.idle },
		row("start to listening, ms", "milliseconds", { atMost: 200 }),
		row("CPU until it listens, ms", "cpu"),
	];
	return { rows, repetitions: starts.map((gateway) => ({ lean, gateway })) };
}
