// What is live, and how a change alters it. Applying the same change twice alters nothing.
import type { Lane, LaneState, LiveChange, LiveSnapshot, Strip, TurnRow } from "../../../gateway/src/page/contract.ts";

/** A state that a lane was in, since when. It ends where the next begins. */
interface Stretch {
	state: LaneState;
	from: number;
}

/** A lane with the states that were seen of it, oldest first. */
export interface TrackedLane extends Lane {
	track: Stretch[];
}

export interface LiveState {
	gateway: string;
	strip: Strip;
	lanes: TrackedLane[];
	finished: TurnRow[];
}

const MOST_FINISHED = 10;
/** More cannot be told apart in a lane. */
const MOST_STRETCHES = 60;

export function fromSnapshot(before: LiveState | undefined, snapshot: LiveSnapshot): LiveState {
	const known = new Map(before?.lanes.map((lane) => [lane.id, lane]));
	return { ...snapshot, lanes: snapshot.lanes.map((lane) => tracked(known.get(lane.id), lane)) };
}

export function withChange(state: LiveState, change: LiveChange): LiveState {
	return {
		gateway: state.gateway,
		strip: change.strip ?? state.strip,
		lanes: changedLanes(state.lanes, change.lanes ?? [], change.gone ?? []),
		finished: newestFirst([...(change.finished ?? []), ...state.finished]).slice(0, MOST_FINISHED),
	};
}

function changedLanes(lanes: TrackedLane[], changed: Lane[], gone: string[]): TrackedLane[] {
	if (changed.length === 0 && gone.length === 0) return lanes;
	const byId = new Map(lanes.map((lane) => [lane.id, lane]));
	for (const lane of changed) byId.set(lane.id, tracked(byId.get(lane.id), lane));
	for (const id of gone) byId.delete(id);
	return [...byId.values()].sort((one, other) => one.startedAt - other.startedAt);
}

function tracked(before: TrackedLane | undefined, lane: Lane): TrackedLane {
	const track = before?.track ?? [];
	const last = track.at(-1);
	if (last?.state === lane.state && last.from === lane.stateSince) return { ...lane, track };
	return { ...lane, track: [...track, { state: lane.state, from: lane.stateSince }].slice(-MOST_STRETCHES) };
}

/** Each turn once. */
function newestFirst(rows: TurnRow[]): TurnRow[] {
	return [...new Map(rows.map((row) => [row.id, row])).values()].sort((one, other) => other.id - one.id);
}

/** What changed, in words for those who do not see it. Tokens are not told. */
export function spokenChange(before: LiveState, after: LiveState, words: Record<LaneState, string>): string[] {
	const states = new Map(before.lanes.map((lane) => [lane.id, lane.state]));
	const known = new Set(before.finished.map(({ id }) => id));
	const moved = after.lanes.filter(({ id, state }) => states.get(id) !== state);
	const ended = after.finished.filter(({ id }) => !known.has(id));
	return [
		...moved.map((lane) => `${lane.key ?? lane.client ?? "A turn"}, ${lane.model}: ${words[lane.state]}`),
		...ended.map((turn) => `${turn.key}, ${turn.model}: ${turn.errorKind === undefined ? "finished" : "failed"}`),
	];
}
