// A conversation as three lanes over time: when a run worked, when the client ran tools, when a run waited for them.
import type { TurnRow } from "../../../gateway/src/page/contract.ts";

export type LaneName = "run" | "tools" | "waits";

export interface Swim {
	lane: LaneName;
	turn: TurnRow;
	/** Percent of the width. */
	from: number;
	width: number;
	ms: number;
}

interface Interval {
	lane: LaneName;
	turn: TurnRow;
	from: number;
	to: number;
}

/** A pause is drawn at most as long as this part of the time in which something happened. */
const LONGEST_PAUSE = 0.08;

export function swimLanes(turns: TurnRow[]): Swim[] {
	const intervals = turns.flatMap((turn, index) => intervalsOf(turn, turns[index + 1]));
	const place = squeezed(intervals);
	return intervals.map(({ lane, turn, from, to }) => ({
		lane,
		turn,
		from: place(from),
		width: place(to) - place(from),
		ms: to - from,
	}));
}

function intervalsOf(turn: TurnRow, next: TurnRow | undefined): Interval[] {
	const begun = startOf(turn);
	const found: Interval[] = [{ lane: "run", turn, from: begun, to: turn.at }];
	if (turn.waitedMs !== undefined) found.push({ lane: "waits", turn, from: begun - turn.waitedMs, to: begun });
	// Only a parked run tells how long tools ran; otherwise the user may have thought in between.
	if (turn.tools !== undefined && next?.waitedMs !== undefined && startOf(next) > turn.at) {
		found.push({ lane: "tools", turn, from: turn.at, to: startOf(next) });
	}
	return found;
}

const startOf = (turn: TurnRow): number => turn.at - turn.latencyMs;

/** From times to percent of the width, with long pauses made short. */
function squeezed(intervals: Interval[]): (time: number) => number {
	const busy = united(intervals);
	const worked = busy.reduce((sum, [from, to]) => sum + to - from, 0);
	const most = Math.max(1, worked * LONGEST_PAUSE);
	const starts: number[] = [];
	let length = 0;
	for (const [index, [from, to]] of busy.entries()) {
		if (index > 0) length += Math.min(most, from - busy[index - 1]![1]);
		starts.push(length);
		length += to - from;
	}
	return (time) => {
		const index = Math.max(
			0,
			busy.findLastIndex(([from]) => from <= time),
		);
		return ((starts[index]! + time - busy[index]![0]) / Math.max(1, length)) * 100;
	};
}

function united(intervals: Interval[]): [from: number, to: number][] {
	const merged: [number, number][] = [];
	for (const { from, to } of [...intervals].sort((one, other) => one.from - other.from)) {
		const last = merged.at(-1);
		if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
		else merged.push([from, to]);
	}
	return merged;
}
