// The live stream: what runs, told to every open page, and nothing looked at while none is open.

import type { Brain } from "cursorwire-emulator";
import { expect, it } from "vitest";
import type { LaneState } from "../../src/page/contract.ts";
import { until } from "../kit/cleanup.ts";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";
import { LOOK } from "../kit/hostile/brain.ts";
import { say } from "../kit/hostile/rig.ts";
import { LeapingClock } from "../kit/leaping-clock.ts";
import { heldCursor } from "../kit/network/held-cursor.ts";
import { LiveClient } from "./live-client.ts";
import { openPage } from "./page-client.ts";

const CHAT = "/v1/chat/completions";

/** A model that goes from one step to the next when the test says so. */
function steps() {
	const waiting: (() => void)[] = [];
	const brain: Brain = async function* (turn) {
		const step = () => new Promise<void>((resolve) => waiting.push(resolve));
		await step();
		yield { thinking: "well " };
		await step();
		yield { text: "one two three four " };
		await step();
		if (turn.tools.length > 0) {
			const results = yield {
				calls: [
					{ name: "look", arguments: { at: "a" } },
					{ name: "look", arguments: { at: "b" } },
				],
			};
			yield { text: `saw ${results.length}` };
			await step();
		}
	};
	const next = async () => {
		while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
		waiting.shift()!();
	};
	return { brain, next };
}

const ask = (rig: TestGateway, more: object = {}) => rig.post(CHAT, { ...say("hello"), stream: true, ...more });
const states = (live: LiveClient): LaneState[] => [...live.lanes.values()].map(({ state }) => state);

it("shows a turn in each of its states, from its beginning to its end", async () => {
	const { brain, next } = steps();
	const cursor = heldCursor();
	const rig = await startTestGateway({ emulator: { brain }, before: cursor.before });
	const live = await LiveClient.open(await openPage(rig));
	await live.until(() => live.strip?.pools.length === 2);
	expect(live.events[0]).toMatchObject({
		name: "snapshot",
		data: { lanes: [], finished: [], strip: { store: "sqlite" } },
	});
	const release = cursor.hold();
	const asked = ask(rig, { tools: [LOOK] });
	await live.until(() => states(live)[0] === "connecting");
	release();
	await next();
	const response = await asked;
	await live.until(() => states(live)[0] === "thinking");
	await next();
	await live.until(() => states(live)[0] === "streaming");
	const [lane] = live.lanes.values();
	expect(lane).toMatchObject({
		id: response.headers.get("x-request-id"),
		key: "default",
		dialect: "chat",
		model: "composer-1",
		path: "new",
	});
	expect(lane!.startedAt).toBeLessThanOrEqual(lane!.stateSince);
	await next();
	const calls = [...(await response.text()).matchAll(/"id":"(call_\w+)"/g)].map(([, id]) => id!);
	await live.until(() => states(live)[0] === "waiting");
	expect([...live.lanes.values()]).toMatchObject([{ id: expect.stringMatching(/^run:./), tools: ["look", "look"] }]);
	const again = await ask(rig, {
		tools: [LOOK],
		messages: [
			...say("hello").messages,
			{
				role: "assistant",
				content: "one two three four ",
				tool_calls: calls.map((id, index) => ({
					id,
					type: "function",
					function: { name: "look", arguments: `{"at":"${"ab"[index]}"}` },
				})),
			},
			...calls.map((tool_call_id) => ({ role: "tool", tool_call_id, content: "it" })),
		],
	});
	await live.until(() => states(live)[0] === "streaming");
	expect([...live.lanes.values()]).toMatchObject([{ path: "parked", id: again.headers.get("x-request-id") }]);
	await next();
	await again.text();
	await live.until(() => live.lanes.size === 0 && live.finished.length === 2);
	expect(live.finished).toMatchObject([
		{ path: "parked", status: 200 },
		{ path: "new", status: 200 },
	]);
	expect(live.finished[0]!.id).toBeGreaterThan(live.finished[1]!.id);
});

it("goes on where a page was cut off, without a gap and without telling anything twice", async () => {
	const rig = await startTestGateway();
	const page = await openPage(rig);
	const whole = await LiveClient.open(page);
	const first = await LiveClient.open(page);
	const turn = async () => (await ask(rig)).text();
	await turn();
	await first.until(() => first.finished.length === 1);
	first.leave();
	await turn();
	await whole.until(() => whole.finished.length === 2);
	const second = await LiveClient.open(page, first.events.at(-1)!.id);
	await turn();
	await second.until(() => first.finished.length + second.finished.length === 3);
	await whole.until(() => whole.finished.length === 3);
	expect(second.events.every(({ name }) => name === "change")).toBe(true);
	const told = [...first.events, ...second.events].map(({ id }) => id);
	expect(told).toEqual([...new Set(told)]);
	expect(told).toEqual(whole.events.map(({ id }) => id).slice(-told.length));
	expect([...second.finished, ...first.finished].map(({ id }) => id)).toEqual(whole.finished.map(({ id }) => id));
});

it("tells a page that comes back what happened while no page was open", async () => {
	const rig = await startTestGateway();
	const page = await openPage(rig);
	const first = await LiveClient.open(page);
	await first.until(() => first.strip?.pools.length === 2);
	first.leave();
	await until(() => !rig.gateway.isWatched());
	await (await ask(rig)).text();
	const second = await LiveClient.open(page, first.events.at(-1)!.id);
	await second.until(() => second.finished.length === 1);
	expect(second.events[0]!.name).toBe("change");
});

it("begins anew for a page that knows another start of the gateway, or nothing that is kept", async () => {
	const rig = await startTestGateway();
	const page = await openPage(rig);
	const id = (await LiveClient.open(page)).events;
	for (const lastEventId of ["0123456789abcdef-1", "nonsense", "", `${id[0]?.id.split("-")[0]}-999`]) {
		const live = await LiveClient.open(page, lastEventId);
		await live.until(() => live.events.length > 0);
		expect(live.events[0]!.name, lastEventId).toBe("snapshot");
	}
});

it("looks at nothing while no page is open", async () => {
	const rig = await startTestGateway();
	expect(rig.gateway.isWatched()).toBe(false);
	const page = await openPage(rig);
	expect(rig.gateway.isWatched()).toBe(false);
	const [one, two] = [await LiveClient.open(page), await LiveClient.open(page)];
	expect(rig.gateway.isWatched()).toBe(true);
	one.leave();
	await two.until(() => two.events.length > 0);
	expect(rig.gateway.isWatched()).toBe(true);
	two.leave();
	await until(() => !rig.gateway.isWatched());
	const asked = rig.emulator.stats().rpcs;
	await new Promise((resolve) => setTimeout(resolve, 300));
	expect(rig.emulator.stats().rpcs).toEqual(asked);
});

it("reads the pools when a page opens, and for several pages once", async () => {
	const rig = await startTestGateway();
	const reads = () =>
		Object.entries(rig.emulator.stats().rpcs).find(([name]) => name.endsWith("GetCurrentPeriodUsage"))?.[1] ?? 0;
	const page = await openPage(rig);
	expect(reads()).toBe(0);
	const live = await LiveClient.open(page);
	await live.until(() => live.strip?.pools.length === 2);
	expect(live.strip).toMatchObject({ signedIn: true, isDemo: false, version: "test", problems: [] });
	const other = await LiveClient.open(page);
	await other.until(() => other.events.length > 0);
	expect(other.strip).toEqual(live.strip);
	expect(reads()).toBe(1);
});

it("sends a heartbeat every 15 seconds, and ends a stream whose session is over", async () => {
	const clock = new LeapingClock();
	const rig = await startTestGateway({ clock });
	const live = await LiveClient.open(await openPage(rig));
	await live.until(() => live.events.length > 0);
	clock.leap(15_000);
	await live.until(() => live.comments === 1);
	clock.leap(12 * 3_600_000);
	await live.until(() => live.isOver);
});

it("ends with its session", async () => {
	const rig = await startTestGateway();
	const [page, other] = [await openPage(rig), await openPage(rig)];
	const [live, kept] = [await LiveClient.open(page), await LiveClient.open(other)];
	await page.fetch("session", { method: "DELETE" });
	await live.until(() => live.isOver);
	await (await ask(rig)).text();
	await kept.until(() => kept.finished.length === 1);
	expect(kept.isOver).toBe(false);
});

it("is there for 16 pages and no more", async () => {
	const rig = await startTestGateway();
	const page = await openPage(rig);
	const open = [];
	for (let count = 0; count < 16; count++) open.push(await LiveClient.open(page));
	const refused = await page.fetch("live");
	expect(refused.status).toBe(503);
	expect(await refused.json()).toMatchObject({ error: { message: "16 pages are open already." } });
	open[0]!.leave();
	await until(async () => (await page.fetch("live")).status === 200);
});
