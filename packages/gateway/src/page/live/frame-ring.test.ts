import { expect, it } from "vitest";
import { FrameRing } from "./frame-ring.ts";

function ringOf(count: number, limits = { frames: 3, characters: 1_000 }): FrameRing {
	const ring = new FrameRing(limits);
	for (let added = 0; added < count; added++) ring.add((number) => `frame ${number}`);
	return ring;
}

it("gives the frames after one, as long as all of them are kept", () => {
	const ring = ringOf(5);
	expect(ring.last).toBe(5);
	expect(ring.after(5)).toEqual([]);
	expect(ring.after(2)).toEqual(["frame 3", "frame 4", "frame 5"]);
	expect(ring.after(1)).toBeUndefined();
});

it("knows no frame that was never there", () => {
	for (const number of [4, Number.NaN, 1.5, Number.POSITIVE_INFINITY]) expect(ringOf(3).after(number)).toBeUndefined();
	expect(ringOf(0).after(0)).toEqual([]);
});

it("keeps no more than so many characters", () => {
	const ring = ringOf(3, { frames: 100, characters: 13 });
	expect(ring.after(1)).toEqual(undefined);
	expect(ring.after(2)).toEqual(["frame 3"]);
});
