// What a load cannot see itself: CPU and memory of the participant, and the runs that are open at the upstream. Each
// method is named after the event by which a load asks for it.
import { setTimeout as sleep } from "node:timers/promises";
import { cpuOf, cpuSeconds, machineBusySeconds, rssOf } from "../processes.mjs";

const SETTLE_MILLISECONDS = 700;
const COLLECTIONS = 2;
const IDLE_SECONDS = 2;
const HELD_WITHIN_MILLISECONDS = 15_000;
const HELD_POLL_MILLISECONDS = 10;
const WATCH_EVERY_MILLISECONDS = 50;

export class Observer {
	#participant;
	#upstream;
	#others;
	#before;
	#after;
	#open = 0;
	#kilobytes = 0;
	#peak = 0;
	#watching;

	constructor(participant, upstream, load) {
		this.#participant = participant;
		this.#upstream = upstream;
		this.#others = [upstream.pid, load.pid, process.pid];
	}

	measure() {
		this.#before = this.#sample();
	}

	measured() {
		this.#after = this.#sample();
	}

	/** CPU seconds of the participant in the measured time, and the cores that other programs used. */
	figures() {
		const [before, after] = [this.#before, this.#after];
		if (!before || !after) return { cpu: Number.NaN, foreign: Number.NaN };
		const foreign = after.machine - before.machine - (after.ours - before.ours);
		return { cpu: after.own - before.own, foreign: foreign / ((after.at - before.at) / 1000) };
	}

	set({ reply }) {
		return this.#upstream.set(reply);
	}

	/** How many more runs the upstream has than at the last call. */
	async openRuns() {
		const { open } = await this.#upstream.counters();
		const more = open - this.#open;
		this.#open = open;
		return { more };
	}

	async settle() {
		this.#kilobytes = await this.#settledKilobytes();
		await this.openRuns();
	}

	/** Waits until so many more runs are open than at `settle`. Answers with their number. */
	async held({ count }) {
		const limit = performance.now() + HELD_WITHIN_MILLISECONDS;
		for (;;) {
			const held = (await this.#upstream.counters()).open - this.#open;
			if (held >= count || performance.now() > limit) return held;
			await sleep(HELD_POLL_MILLISECONDS);
		}
	}

	async grown() {
		const kilobytes = (await this.#settledKilobytes()) - this.#kilobytes;
		const cpu = cpuOf(this.#participant);
		await sleep(IDLE_SECONDS * 1000);
		return { kilobytes, idleCpu: (cpuOf(this.#participant) - cpu) / IDLE_SECONDS };
	}

	/** Follows the memory of the participant until `watched`, which answers with how much it has grown at most. */
	watch() {
		this.#kilobytes = rssOf(this.#participant);
		this.#peak = this.#kilobytes;
		this.#watching = setInterval(() => {
			try {
				this.#peak = Math.max(this.#peak, rssOf(this.#participant));
			} catch {
				clearInterval(this.#watching);
			}
		}, WATCH_EVERY_MILLISECONDS);
	}

	watched() {
		this.close();
		return { peakKilobytes: this.#peak - this.#kilobytes };
	}

	close() {
		clearInterval(this.#watching);
	}

	#sample() {
		const own = cpuOf(this.#participant);
		const others = this.#others.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
		return { at: performance.now(), own, ours: own + others, machine: machineBusySeconds() };
	}

	/** RSS after garbage collection, because the garbage of earlier requests would hide what is really held. */
	async #settledKilobytes() {
		for (let round = 0; round < COLLECTIONS; round++) {
			await sleep(SETTLE_MILLISECONDS);
			for (const pid of this.#participant.collectors()) process.kill(pid, "SIGUSR2");
		}
		await sleep(SETTLE_MILLISECONDS);
		return rssOf(this.#participant);
	}
}
