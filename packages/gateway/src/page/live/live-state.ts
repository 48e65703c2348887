import type { Lane, LiveChange, LiveSnapshot, Strip, TurnRow } from "../contract.ts";

const MOST_FINISHED = 10;

/** Everything on the first view, as pages were last told. */
export class LiveState {
	#strip: { value: Strip; text: string } | undefined;
	#lanes = new Map<string, { lane: Lane; text: string }>();
	/** Newest first. */
	#finished: readonly TurnRow[] = [];

	lane(id: string): Lane | undefined {
		return this.#lanes.get(id)?.lane;
	}

	/** Whether something is under way whose figures change by themselves. */
	get isBusy(): boolean {
		for (const { lane } of this.#lanes.values()) if (lane.state !== "waiting") return true;
		return false;
	}

	/** Takes over what is the case now and returns what is different; undefined if nothing is. */
	advance(strip: Strip, lanes: readonly Lane[], finished?: readonly TurnRow[]): LiveChange | undefined {
		const change: LiveChange = { ...this.#takeStrip(strip), ...this.#takeLanes(lanes), ...this.#takeRows(finished) };
		return Object.keys(change).length > 0 ? change : undefined;
	}

	snapshot(gateway: string): LiveSnapshot {
		const lanes = Array.from(this.#lanes.values(), ({ lane }) => lane);
		return { gateway, strip: this.#strip!.value, lanes, finished: [...this.#finished] };
	}

	#takeStrip(value: Strip): Pick<LiveChange, "strip"> {
		const text = JSON.stringify(value);
		if (text === this.#strip?.text) return {};
		this.#strip = { value, text };
		return { strip: value };
	}

	#takeLanes(lanes: readonly Lane[]): Pick<LiveChange, "lanes" | "gone"> {
		const before = this.#lanes;
		const inOrder = [...lanes].sort((one, other) => one.startedAt - other.startedAt);
		this.#lanes = new Map(inOrder.map((lane) => [lane.id, { lane, text: JSON.stringify(lane) }]));
		const changed = inOrder.filter(({ id }) => this.#lanes.get(id)!.text !== before.get(id)?.text);
		const gone = [...before.keys()].filter((id) => !this.#lanes.has(id));
		return { ...(changed.length > 0 && { lanes: changed }), ...(gone.length > 0 && { gone }) };
	}

	#takeRows(rows: readonly TurnRow[] | undefined): Pick<LiveChange, "finished"> {
		if (!rows) return {};
		const newestKnown = this.#finished[0]?.id ?? 0;
		const fresh = rows.filter(({ id }) => id > newestKnown);
		this.#finished = [...fresh, ...this.#finished].slice(0, MOST_FINISHED);
		return fresh.length > 0 ? { finished: fresh } : {};
	}
}
