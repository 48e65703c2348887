// What runs, as a person sees it: every state of a turn, and its end by a cut or by the owner's hand.

import type { Brain } from "cursorwire-emulator";
import { expect, it } from "vitest";
import { until } from "../../../gateway/test/kit/cleanup.ts";
import { ask, result, tool, user } from "../../../gateway/test/kit/dialects/handmade-chat.ts";
import { startTestGateway, type TestGatewayOptions } from "../../../gateway/test/kit/gateway.ts";
import { LeapingClock } from "../../../gateway/test/kit/leaping-clock.ts";
import { heldCursor } from "../../../gateway/test/kit/network/held-cursor.ts";
import { openPage } from "./whole-page.ts";

/** A model that takes its next step when the test says so. */
function steps() {
	const waiting: (() => void)[] = [];
	const step = () => new Promise<void>((resolve) => waiting.push(resolve));
	const brain: Brain = async function* (turn) {
		if (turn.prompt === "hang") {
			yield { text: "I begin and do not end " };
			yield { hang: "heartbeats" };
		}
		await step();
		yield { thinking: "well " };
		await step();
		yield { text: "one two three " };
		await step();
		if (turn.prompt === "be cut") {
			yield { update: { kind: "partial_tool_call", args: CALL_BEGUN } };
			await step();
			yield { drop: true };
		}
		const [found] = yield { calls: [{ name: "look", arguments: { at: "a" } }] };
		await step();
		yield { text: `saw ${found?.text}` };
	};
	const next = async () => {
		await until(() => waiting.length > 0);
		waiting.shift()!();
	};
	return { brain, next };
}

const CALL_BEGUN = {
	call_id: "call_1",
	tool_call: { mcp_tool_call: { args: { name: "look", tool_call_id: "call_1" } } },
	args_text_delta: Buffer.from('{"at":"some').toString("base64"),
};

/** Chance adds up to a fifth. A leap that is longer would be a connection whose pings nobody answers. */
const BACKOFF_MS = 12_000;

async function start(more: TestGatewayOptions = {}) {
	const { brain, next } = steps();
	const rig = await startTestGateway({ ...more, emulator: { brain, ...more.emulator } });
	const { page, wrong } = await openPage(rig.gateway.pageUrl()!);
	await page.getByText("Nothing runs at the moment").waitFor();
	const shows = (state: string) => page.locator(".lane .state", { hasText: new RegExp(`^${state}$`) }).waitFor();
	return { rig, page, wrong, next, shows };
}

it("shows a turn think, speak, wait for its tool with the tool's name, go on and end", async () => {
	const cursor = heldCursor();
	const { rig, page, wrong, next, shows } = await start({ before: cursor.before });
	// Cursor was asked before it is held.
	await page.getByText("demo@example.test").waitFor();
	const release = cursor.hold();
	const first = ask(rig, [user("go")], { tools: [tool("look")], stream: true });
	await shows("connecting");
	release();
	await next();
	await shows("thinking");
	await next();
	await shows("streaming");
	await next();
	await shows("waiting for tools");
	await page.locator(".lane .tag", { hasText: "look" }).waitFor();
	const { message, calls } = await first;
	const second = ask(rig, [user("go"), message, result(calls[0]!, "it")], { tools: [tool("look")], stream: true });
	await page.locator(".lane .rung", { hasText: "parked" }).waitFor();
	await next();
	expect((await second).text).toBe("saw it");
	await page.getByText("Nothing runs at the moment").waitFor();
	await page.locator(".finished .rungname", { hasText: "parked" }).waitFor();
	expect(await page.locator(".finished .rungname").allTextContents()).toEqual(["parked", "new"]);
	expect(rig.emulator.stats().runs.started).toBe(1);
	expect(wrong).toEqual([]);
});

it("shows a turn that tries again, begins a call and is cut, with the cause and what to do", async () => {
	const clock = new LeapingClock();
	const { rig, page, next, shows } = await start({
		clock,
		emulator: { faults: ["reset@headers*1/Run"] },
		limits: { backoffMs: BACKOFF_MS, longestBackoffMs: BACKOFF_MS },
	});
	const answer = ask(rig, [user("be cut")], { tools: [tool("look")], stream: true });
	await shows("retrying");
	clock.leap(BACKOFF_MS * 1.2);
	await next();
	await next();
	await next();
	await shows("calling a tool");
	await next();
	expect((await answer).error).toBeDefined();
	const row = page.locator(".finished li.failed");
	await row.waitFor();
	const cause = await row.locator(".cause").textContent();
	expect(cause).toMatch(/[a-z]\..*[A-Z].*\./);
	await page.getByText("Nothing runs at the moment").waitFor();
});

it("ends the upstream run with Stop, which takes two keys", async () => {
	const { rig, page, shows } = await start();
	const answer = ask(rig, [user("hang")], { stream: true });
	await shows("streaming");
	expect(rig.emulator.stats().runs).toMatchObject({ started: 1, cancelled: [] });
	const stop = page.getByRole("button", { name: /^Stop / });
	await stop.focus();
	await page.keyboard.press("Enter");
	await page.getByRole("button", { name: "Stop it" }).waitFor();
	expect(rig.emulator.stats().runs.cancelled).toEqual([]);
	await page.keyboard.press("Enter");
	await page.getByText("Nothing runs at the moment").waitFor();
	await until(() => rig.emulator.stats().runs.cancelled.length === 1);
	expect(rig.emulator.stats().runs.started).toBe(1);
	expect((await answer).error?.message).toContain("The owner of the gateway stopped this turn.");
	await page.locator(".finished li.failed", { hasText: "Stopped" }).waitFor();
});
