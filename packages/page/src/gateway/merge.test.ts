import { describe, expect, it } from "vitest";
import { lanes, strip, turnRow } from "../../dev/data.ts";
import { STATES } from "../text/words.ts";
import { fromSnapshot, type LiveState, spokenChange, withChange } from "./merge.ts";

const NOW = 1_000_000;
const [first, second] = lanes(NOW, false);
const start: LiveState = fromSnapshot(undefined, {
	gateway: "g1",
	strip: strip(NOW, false),
	lanes: [second!, first!],
	finished: [turnRow(3, 9, NOW), turnRow(2, 9, NOW)],
});

describe("a change", () => {
	it("leaves what it does not name", () => {
		expect(withChange(start, {})).toEqual(start);
	});

	it("replaces a lane, and remembers the states that it was in", () => {
		const next = { ...first!, state: "waiting" as const, stateSince: NOW + 5 };
		const { lanes: changed } = withChange(start, { lanes: [next] });
		expect(changed.map(({ id }) => id)).toEqual([second!.id, first!.id]);
		expect(changed[1]).toMatchObject({ state: "waiting" });
		expect(changed[1]!.track).toEqual([
			{ state: "streaming", from: first!.stateSince },
			{ state: "waiting", from: NOW + 5 },
		]);
	});

	it("removes lanes and adds finished turns, each once and the newest first", () => {
		const change = { gone: [first!.id], finished: [turnRow(4, 9, NOW), turnRow(3, 9, NOW)] };
		const once = withChange(start, change);
		expect(once.lanes.map(({ id }) => id)).toEqual([second!.id]);
		expect(once.finished.map(({ id }) => id)).toEqual([4, 3, 2]);
		expect(withChange(once, change)).toEqual(once);
	});

	it("keeps the last ten finished turns", () => {
		const finished = Array.from({ length: 14 }, (_, index) => turnRow(20 - index, 20, NOW));
		expect(withChange(start, { finished }).finished.map(({ id }) => id)).toEqual([
			20, 19, 18, 17, 16, 15, 14, 13, 12, 11,
		]);
	});

	it("is told in words once the state differs, not for tokens", () => {
		const more = withChange(start, { lanes: [{ ...first!, outputTokens: 999 }] });
		expect(spokenChange(start, more, STATES)).toEqual([]);
		const waiting = withChange(start, { lanes: [{ ...first!, state: "waiting" }] });
		expect(spokenChange(start, waiting, STATES)).toEqual(["claude-code, claude-4.5-sonnet: waiting for tools"]);
	});
});

it("keeps the track of a lane over a reconnect", () => {
	const moved = withChange(start, { lanes: [{ ...first!, state: "waiting", stateSince: NOW + 5 }] });
	const again = fromSnapshot(moved, { ...start, lanes: [{ ...first!, state: "waiting", stateSince: NOW + 5 }] });
	expect(again.lanes[0]!.track).toHaveLength(2);
});
