// The participants of a run of the benchmark, and all that is measured with them.
import { ledgerRows } from "../ledger.mjs";
import { measure } from "../measure.mjs";
import { COLLECTOR, startGateway, startLean } from "../participants.mjs";
import { startPeer } from "../peers/peer.mjs";
import { hasEnded, stop } from "../processes.mjs";

const warmUp = (seconds) => ({
	id: "warm-up",
	reply: { mode: "burst", deltas: 20 },
	job: { kind: "closedLoop", clients: 16, deltas: 20, seconds, warmup: 0 },
	isForRelays: true,
});
/** A turn runs through so much code that it takes some ten thousand of them until all of it is compiled. */
const LASTING_WARM_UP = warmUp(10);
const FRESH_WARM_UP = warmUp(2.5);
const MOST_FRESH_REPETITIONS = 3;
const LONGEST_NOTE = 400;
const CANNOT = "–";
const LOST_TEXT = /characters arrived|wrong text|no \[DONE\]/;

export class Session {
	/** Why the benchmark fails: lean or the gateway did something wrong. */
	failures = [];
	/** What went wrong with peers. */
	notes = [];
	/** Cores that other programs used, in each measurement. */
	noise = [];
	/** The raw measurements. */
	scenarios = [];
	isCutShort = false;
	#upstream;
	#login;
	#options;
	#turns = 0;
	#stopAfter;

	constructor(upstream, login, options) {
		this.#upstream = upstream;
		this.#login = login;
		this.#options = options;
		this.#stopAfter = performance.now() + options.limitSeconds * 1000;
	}

	/** Starts all participants and warms them up. */
	async startAll() {
		const team = [];
		for (const start of this.#starts({ isForRelays: true })) team.push(await this.#startWarm(start, LASTING_WARM_UP));
		return team;
	}

	/** Measures a scenario with participants that go on running. */
	async run(scenario, team) {
		const { repetitions } = this.#options;
		return this.#repeat(scenario, repetitions, async (runs, isReversed) => {
			for (const [index, participant] of inOrder([...team.entries()], isReversed)) {
				team[index] = await this.#revived(participant);
				runs[participant.name] = await this.#runOnce(scenario, team[index]);
			}
		});
	}

	/** Measures a scenario with processes that have done nothing else, because used ones hold memory that is free. */
	async runFresh(scenario) {
		const repetitions = scenario.isOnce ? 1 : Math.min(this.#options.repetitions, MOST_FRESH_REPETITIONS);
		return this.#repeat(scenario, repetitions, async (runs, isReversed) => {
			for (const start of inOrder(this.#starts(scenario), isReversed)) {
				const participant = await this.#startWarm(start, FRESH_WARM_UP);
				runs[participant.name] = await this.#runOnce(scenario, participant);
				if (participant.child) await stop(participant.child);
			}
		});
	}

	/** The gateway must have stopped, so that it has written all rows. Its ledger must have one for each turn. */
	checkLedger() {
		const rows = ledgerRows(this.#login.folder);
		if (rows !== this.#turns) {
			this.failures.push(`the gateway had ${this.#turns} turns, and its ledger has ${rows} rows`);
		}
		return { turns: this.#turns, rows };
	}

	async #repeat(scenario, repetitions, runAll) {
		const done = [];
		for (let repetition = 0; repetition < repetitions; repetition++) {
			this.isCutShort ||= performance.now() > this.#stopAfter;
			if (this.isCutShort || this.failures.length > 0) break;
			const runs = {};
			if (scenario.direct) runs.direct = await this.#direct(scenario);
			await runAll(runs, repetition % 2 === 1);
			done.push(runs);
		}
		this.scenarios.push({ id: scenario.id, repetitions: done });
		return done;
	}

	/** Functions that start lean, the gateway and the peers, in processes for this scenario. */
	#starts({ settings, isForRelays }) {
		const nodeOptions = settings ? ["--import", COLLECTOR] : undefined;
		const peer = (one) => async () => {
			try {
				return await startPeer(one, this.#upstream);
			} catch (error) {
				this.#note(this.notes, `${one.name} does not start: ${error.message}`);
				return { name: one.name, isPeer: true };
			}
		};
		return [
			() => startLean(this.#upstream, { nodeOptions }),
			() => startGateway(this.#login, { nodeOptions, settings }),
			...(isForRelays ? this.#options.peers.map(peer) : []),
		];
	}

	async #startWarm(start, warmUpScenario) {
		const participant = await start();
		const { word } = await this.#runOnce(warmUpScenario, participant);
		return word === undefined ? participant : await this.#revived(participant);
	}

	/** A peer that has ended is started again, so that one crash does not cost it the rows that follow. */
	async #revived(participant) {
		const { name, isPeer, child } = participant;
		if (!isPeer || (child && !hasEnded(child))) return participant;
		const own = this.#options.peers.find((peer) => peer.name === name);
		try {
			return await startPeer(own, this.#upstream);
		} catch {
			return { name, isPeer: true };
		}
	}

	async #direct(scenario) {
		await this.#upstream.set(scenario.reply);
		const { pid, port } = this.#upstream;
		return measure({ ...this.#jobOf(scenario), kind: "direct" }, { name: "direct", pid, port }, this.#upstream);
	}

	/** A measurement with the upstream's counters. A reply of lean or the gateway that is not complete is a failure. */
	async #runOnce(scenario, participant) {
		const { name, isPeer, child } = participant;
		if (isPeer && (!scenario.isForRelays || child === undefined)) return { isPeer, word: CANNOT };
		const upstream = this.#upstream;
		await upstream.set(scenario.reply);
		const before = await upstream.counters();
		const run = await measure(this.#jobOf(scenario), participant, upstream);
		const after = await upstream.counters();
		// What a peer has left behind must not load the measurements that follow.
		if (isPeer && after.open > before.open) await upstream.endRuns();
		if (Number.isFinite(run.foreign)) this.noise.push(run.foreign);
		if (name === "gateway") this.#turns += run.asked ?? 0;
		if (run.errors > 0) this.#complain(scenario, participant, run);
		const word = isPeer && run.errors > 0 ? { word: LOST_TEXT.test(run.error) ? "loses text" : "fails" } : {};
		return { ...run, isPeer, ...word, runs: after.runs - before.runs, bytesIn: after.bytesIn - before.bytesIn };
	}

	#complain({ id }, { name, isPeer }, { errors, error }) {
		this.#note(isPeer ? this.notes : this.failures, `${id}, ${name}: ${errors} bad replies: ${error}`);
	}

	/** Each once, on one line. */
	#note(list, text) {
		const line = text.replaceAll(/\s+/g, " ").trim().slice(0, LONGEST_NOTE);
		if (!list.includes(line)) list.push(line);
	}

	#jobOf({ job }) {
		const { window } = this.#options;
		return window && job.seconds ? { ...job, seconds: window, warmup: Math.min(job.warmup, window) } : job;
	}
}

const inOrder = (list, isReversed) => (isReversed ? [...list].reverse() : list);
