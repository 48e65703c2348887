import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { FactStream } from "../../observe/facts.ts";
import type { WaitingRun } from "../../sessions/waiting-runs.ts";
import type { Clock } from "../../time/clock.ts";
import { GatewayError } from "../../turn/error.ts";
import type { Strip, TurnRow } from "../contract.ts";
import { FrameRing } from "./frame-ring.ts";
import { type LaneTurn, turnLane, waitingLane, waitingLaneId } from "./lanes.ts";
import { LiveReader } from "./live-reader.ts";
import { LiveState } from "./live-state.ts";

export interface LivePagesOptions {
	clock: Clock;
	facts: Pick<FactStream, "watch">;
	running(): readonly LaneTurn[];
	waiting(): readonly WaitingRun[];
	/** The strip as it is known now. `changed` is called when more of it becomes known. */
	strip(changed: () => void): Strip;
	/** The last turns that ended, newest first. */
	finished(): Promise<readonly TurnRow[]>;
	isSessionValid(session: string): boolean;
	reportBug(error: unknown): void;
}

const MOST_PAGES = 16;
const FRAME_MS = 250;
/** The ledger is read less often than frames are sent. */
const LEDGER_MS = 1_000;
const HEARTBEAT_MS = 15_000;
const RING = { frames: 1_000, characters: 8 << 20 };

/**
 * Tells all open pages what runs: first a snapshot, then what changes, at most four times a second. While no page is
 * open it looks at nothing. What happened meanwhile is one change for the page that comes back.
 */
export class LivePages {
	readonly #options: LivePagesOptions;
	/** Pages know by it that the gateway was started again. */
	readonly #gateway = randomBytes(8).toString("hex");
	readonly #readers = new Set<LiveReader>();
	readonly #state = new LiveState();
	readonly #ring = new FrameRing(RING);
	#unwatch: (() => void) | undefined;
	#cancelFrame: (() => void) | undefined;
	#cancelBeat: (() => void) | undefined;
	#looking: Promise<void> | undefined;
	#lookedAt = Number.NEGATIVE_INFINITY;
	#ledgerReadAt = Number.NEGATIVE_INFINITY;
	/** Something happened since the last look; a turn may have ended since the ledger was last read. */
	#isStale = false;
	#hasEnded = true;

	constructor(options: LivePagesOptions) {
		this.#options = options;
	}

	/** `lastEventId`: the newest frame that this page has seen, if it was here before. */
	async add(response: ServerResponse, session: string, lastEventId: string | undefined): Promise<void> {
		if (this.#readers.size >= MOST_PAGES) {
			throw new GatewayError("overloaded", `${MOST_PAGES} pages are open already.`, { nextStep: "Close one of them." });
		}
		const reader = new LiveReader(response, session, () => this.#snapshot());
		this.#readers.add(reader);
		response.once("close", () => this.#remove(reader));
		if (response.destroyed) return this.#remove(reader);
		this.#wakeUp();
		await this.#look();
		reader.begin(this.#missed(lastEventId));
		this.#plan();
	}

	/** Ends the streams of a session that is over. */
	endSession(session: string): void {
		for (const reader of this.#readers) if (reader.session === session) reader.end();
	}

	close(): void {
		for (const reader of this.#readers) reader.end();
		this.#sleep();
	}

	#remove(reader: LiveReader): void {
		this.#readers.delete(reader);
		if (this.#readers.size === 0) this.#sleep();
	}

	#wakeUp(): void {
		this.#listen();
		this.#cancelBeat ??= this.#options.clock.after(HEARTBEAT_MS, () => this.#beat());
	}

	/** Hears of the next thing that happens. Until the next look that is enough, and of a busy gateway it is one in thousands. */
	#listen(): void {
		this.#unwatch ??= this.#options.facts.watch(this.#happened);
	}

	readonly #happened = (): void => {
		this.#unwatch?.();
		this.#unwatch = undefined;
		this.#hasEnded = true;
		this.#refresh();
	};

	get #isAsleep(): boolean {
		return this.#cancelBeat === undefined;
	}

	#sleep(): void {
		this.#unwatch?.();
		this.#cancelBeat?.();
		this.#cancelFrame?.();
		this.#unwatch = this.#cancelBeat = this.#cancelFrame = undefined;
		// Nobody hears of turns that end from here on.
		this.#hasEnded = true;
	}

	/** Plans the next frame, unless nothing is left to tell. */
	#plan(): void {
		if (this.#isAsleep || this.#cancelFrame || this.#looking || !(this.#isStale || this.#state.isBusy)) return;
		const { clock } = this.#options;
		this.#cancelFrame = clock.after(Math.max(0, this.#lookedAt + FRAME_MS - clock.now()), () => {
			this.#cancelFrame = undefined;
			void this.#look().then(() => this.#plan());
		});
	}

	#look(): Promise<void> {
		this.#looking ??= this.#lookNow()
			.catch((error) => this.#options.reportBug(error))
			.finally(() => {
				this.#looking = undefined;
			});
		return this.#looking;
	}

	async #lookNow(): Promise<void> {
		this.#lookedAt = this.#options.clock.now();
		this.#isStale = false;
		if (!this.#isAsleep) this.#listen();
		const finished = await this.#readLedger();
		const { running, waiting, strip } = this.#options;
		const now = Date.now();
		const lanes = [
			...waiting().map((run) => waitingLane(run, now, this.#state.lane(waitingLaneId(run)))),
			...running().map((turn) => turnLane(turn, now, this.#state.lane(turn.requestId))),
		];
		const change = this.#state.advance(strip(this.#refresh), lanes, finished);
		if (!change) return;
		const frame = this.#ring.add((number) => this.#event("change", change, number));
		for (const reader of this.#readers) reader.take(frame);
	}

	/** The turns that ended lately, if one did since the last time. */
	async #readLedger(): Promise<readonly TurnRow[] | undefined> {
		if (!this.#hasEnded) return undefined;
		if (this.#lookedAt - this.#ledgerReadAt < LEDGER_MS) {
			this.#isStale = true;
			return undefined;
		}
		this.#ledgerReadAt = this.#lookedAt;
		this.#hasEnded = false;
		return this.#options.finished().catch((error) => {
			this.#options.reportBug(error);
			return undefined;
		});
	}

	readonly #refresh = (): void => {
		this.#isStale = true;
		this.#plan();
	};

	#beat(): void {
		this.#cancelBeat = this.#options.clock.after(HEARTBEAT_MS, () => this.#beat());
		for (const reader of this.#readers) {
			if (this.#options.isSessionValid(reader.session)) reader.beat();
			else reader.end();
		}
		this.#refresh();
	}

	#missed(lastEventId: string | undefined): readonly string[] | undefined {
		const [gateway, number] = lastEventId?.split("-") ?? [];
		return gateway === this.#gateway ? this.#ring.after(Number(number)) : undefined;
	}

	#snapshot(): string {
		return this.#event("snapshot", this.#state.snapshot(this.#gateway), this.#ring.last);
	}

	#event(name: "snapshot" | "change", data: object, number: number): string {
		return `id: ${this.#gateway}-${number}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
	}
}
