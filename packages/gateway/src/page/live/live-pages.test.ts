import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { ManualClock } from "../../../test/kit/manual-clock.ts";
import { FactStream } from "../../observe/facts.ts";
import type { LaneTurn } from "./lanes.ts";
import { LivePages } from "./live-pages.ts";

const settled = () => new Promise((resolve) => setImmediate(resolve));

async function openPage() {
	const clock = new ManualClock();
	const facts = new FactStream();
	const running: LaneTurn[] = [];
	const written: string[] = [];
	const response = Object.assign(new EventEmitter(), {
		writeHead: () => response,
		flushHeaders: () => {},
		write: (text: string) => written.push(text) > 0,
	});
	const pages = new LivePages({
		clock,
		facts,
		running: () => running,
		waiting: () => [],
		strip: () => ({ version: "1", isDemo: false, signedIn: true, pools: [], store: "memory", problems: [] }),
		finished: async () => [],
		isSessionValid: () => true,
		reportBug: (error) => expect.fail(String(error)),
	});
	await pages.add(response as unknown as ServerResponse, "session", undefined);
	written.length = 0;
	/** A turn begins, and whoever watches hears of it. Returns whether anybody did. */
	const begin = (requestId: string): boolean => {
		const [dialect, model, state] = ["chat", "auto", "thinking"] as const;
		running.push({ requestId, dialect, model, state, ageMs: 0, startedAt: 1, stateSince: 1, outputTokens: 0 });
		const { isWatched } = facts;
		if (isWatched) facts.tellLive({ type: "turn-step", at: 0, requestId, step: state });
		return isWatched;
	};
	return { clock, facts, begin, written, response };
}

it("hears one thing between two looks, and shows all that has happened", async () => {
	const { clock, begin, written } = await openPage();
	expect(["a", "b", "c"].map(begin)).toEqual([true, false, false]);
	clock.advance(250);
	await settled();
	expect(written).toHaveLength(1);
	for (const id of ["a", "b", "c"]) expect(written[0]).toContain(`"id":"${id}"`);
	expect(["d", "e"].map(begin)).toEqual([true, false]);
	clock.advance(250);
	await settled();
	expect(written).toHaveLength(2);
	expect(written[1]).toContain('"id":"e"');
});

it("hears nothing any more when the page has left, not even if it left between two looks", async () => {
	const { clock, begin, facts, response } = await openPage();
	begin("a");
	response.emit("close");
	clock.advance(1_000);
	await settled();
	expect(facts.isWatched).toBe(false);
});
