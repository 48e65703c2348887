// What a failure that stays costs: the official libraries with their default retries, and what reaches the upstream.
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { describe, expect, it, onTestFinished } from "vitest";
import { TcpProxy } from "../kit/network/tcp-proxy.ts";
import { type FailingUpstream, startFailing } from "./failing-upstream.ts";

/** The waiting is a hundred times shorter than in life, on both sides, so that the order of things is the same. */
const FASTER = 100;
const LIMITS = { backoffMs: 10, silenceMs: 300, heartbeatsOnlyMs: 300 };
const HEALTH = { firstPauseMs: 5_000 / FASTER, longestPauseMs: 60_000 / FASTER };

interface Library {
	name: string;
	/** One prompt; the library's own retries are in it. */
	ask(rig: FailingUpstream, fetch: typeof globalThis.fetch): Promise<unknown>;
}

const LIBRARIES: Library[] = [
	{
		name: "openai",
		ask: ({ url, key }, fetch) =>
			new OpenAI({ baseURL: `${url}/v1`, apiKey: key, fetch }).chat.completions.create({
				model: "composer-1",
				messages: [{ role: "user", content: "a b c d e f" }],
			}),
	},
	{
		name: "@anthropic-ai/sdk",
		ask: ({ url, key }, fetch) =>
			new Anthropic({ baseURL: url, apiKey: key, fetch }).messages.create({
				model: "composer-1",
				max_tokens: 100,
				messages: [{ role: "user", content: "a b c d e f" }],
			}),
	},
];

const FAILURES = [
	["resets", "reset@headers"],
	["lost connections", "cut@headers"],
	["status 503", "status=503@headers"],
	["errors of the server", "error=internal@frame:1"],
	["cut streams", "cut@frame:6"],
	["silent answers", "stall@headers"],
	["answers that fall silent", "stall@frame:6"],
	["hollow answers", "hollow@headers"],
] as const;
const PROMPTS = 8;

/** Asks a few times in a row, as a script or a person does. */
async function burst(rig: FailingUpstream, { ask }: Library) {
	let requests = 0;
	const quick: typeof fetch = async (input, init) => {
		requests += 1;
		const answer = await fetch(input, init);
		const headers = new Headers(answer.headers);
		headers.set("retry-after-ms", String((Number(headers.get("retry-after") ?? "1") * 1000) / FASTER));
		return new Response(answer.body, { status: answer.status, headers });
	};
	const messages: string[] = [];
	for (let count = 0; count < PROMPTS; count++) {
		await ask(rig, quick).then(
			() => expect.unreachable("it was answered"),
			(error: Error) => messages.push(error.message),
		);
	}
	return { requests, messages };
}

describe.each(LIBRARIES)("$name, with its own retries, against an upstream that fails for good", (library) => {
	it.each(FAILURES)("by %s: at most 1.2 runs for each request", async (_, fault) => {
		const rig = await startFailing({ emulator: { brain: "echo", faults: [fault] }, limits: LIMITS, health: HEALTH });
		const { requests, messages } = await burst(rig, library);
		expect(rig.runs()).toBeGreaterThan(0);
		expect(rig.runs()).toBeLessThanOrEqual(1.2 * requests);
		expect(messages.at(-1)).toContain("Cursor keeps failing");
	});

	it("by an empty answer: at most 1.2 runs for each request", async () => {
		const rig = await startFailing({ emulator: { async *brain() {} }, limits: LIMITS, health: HEALTH });
		const { requests, messages } = await burst(rig, library);
		expect(rig.runs()).toBeLessThanOrEqual(1.2 * requests);
		expect(messages.at(-1)).toContain("Cursor ended the turn without a word");
	});

	it("by refused connections: a handful of connections, however often it is asked", async () => {
		const proxies: TcpProxy[] = [];
		const rig = await startFailing({
			emulator: { brain: "echo" },
			limits: LIMITS,
			health: HEALTH,
			before: async (url) => {
				const proxy = await TcpProxy.listen(new URL(url));
				onTestFinished(() => proxy.close());
				proxies.push(proxy);
				return proxy.origin.href;
			},
		});
		expect((await rig.ask()).status).toBe(200);
		const [proxy] = proxies as [TcpProxy];
		// It accepts and hangs up at once, so that attempts can be counted.
		proxy.add({ type: "reset_peer", timeout: 0 });
		const before = proxy.accepted;
		const { requests, messages } = await burst(rig, library);
		// Beside its run, a request may ask once which host is right.
		expect(proxy.accepted - before).toBeLessThanOrEqual(2 * 1.2 * requests);
		expect(messages.at(-1)).toContain("Cursor keeps failing");
	});
});

describe("ten turns at once against lost connections", () => {
	it("are all answered soon, with hardly more runs and connections than turns", async () => {
		// With the waiting of life: before there was a budget, this took longer than a minute.
		const limits = { backoffMs: 1_000 };
		const rig = await startFailing({ emulator: { brain: "echo", faults: ["cut@headers"] }, limits });
		const before = rig.emulator.stats().connections.accepted;
		const startedAt = performance.now();
		const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => rig.ask({ stream: at % 2 === 0 })));
		for (const { status } of answers) expect([502, 503]).toContain(status);
		expect(performance.now() - startedAt).toBeLessThan(15_000);
		expect(rig.runs()).toBeLessThanOrEqual(12);
		expect(rig.emulator.stats().connections.accepted - before).toBeLessThanOrEqual(20);
	});
});
