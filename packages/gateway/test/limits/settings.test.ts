// Every limit that an error tells the user to raise is a setting, and the setting is what counts.
import { describe, expect, it, onTestFinished } from "vitest";
import { DEFAULT_TURN_LIMITS } from "../../src/access/turn-gate.ts";
import {
	keptTimes,
	parkedLimits,
	responsesKeptMs,
	runDeadlines,
	serverLimits,
	sizeLimits,
	streamLimits,
	turnLimits,
} from "../../src/app/limits.ts";
import { loadSettings, type Settings } from "../../src/config/settings.ts";
import { RESPONSE_KEPT_MS } from "../../src/routes/stored-responses.ts";
import { DEFAULT_SERVER_LIMITS } from "../../src/server/server-limits.ts";
import { DEFAULT_PARKED_LIMITS } from "../../src/sessions/parked-runs.ts";
import { DISK_LIMITS, MEMORY_LIMITS, REDIS_LIMITS } from "../../src/store/limits.ts";
import { openStore } from "../../src/store/open-store.ts";
import { DEFAULT_STREAM_LIMITS } from "../../src/turns/stream-limits.ts";
import { DEFAULT_RUN_LIMITS } from "../../src/upstream/run/run-limits.ts";
import { DEFAULT_SIZE_LIMITS } from "../../src/upstream/run/size-limits.ts";
import { until } from "../kit/cleanup.ts";
import { addKey, ask, steps, tool, user } from "../kit/dialects/handmade-chat.ts";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";
import { temporaryFolder } from "../kit/program.ts";
import { ledgerRow } from "../store/sample-records.ts";

const MiB = 1024 * 1024;
const settingsWith = (changes: Partial<Settings> = {}) => ({ ...loadSettings({}, {}).settings, ...changes });
const textOf = (mebibytes: number) => "word ".repeat((mebibytes * MiB) / 5);
const chat = (gateway: TestGateway, content: string, headers: Record<string, string> = {}) =>
	gateway.post("/v1/chat/completions", { model: "composer-1", messages: [{ role: "user", content }] }, { headers });
const messageOf = async (response: Response) =>
	((await response.json()) as { error: { message: string } }).error.message;

describe("a limit", () => {
	it("has the default that the program has without a setting", () => {
		const settings = settingsWith();
		expect(serverLimits(settings, Number.POSITIVE_INFINITY)).toEqual(DEFAULT_SERVER_LIMITS);
		expect(turnLimits(settings)).toEqual(DEFAULT_TURN_LIMITS);
		expect(parkedLimits(settings)).toEqual(DEFAULT_PARKED_LIMITS);
		expect(sizeLimits(settings)).toEqual(DEFAULT_SIZE_LIMITS);
		expect(streamLimits(settings)).toEqual(DEFAULT_STREAM_LIMITS);
		for (const limits of [DISK_LIMITS, REDIS_LIMITS, MEMORY_LIMITS]) expect(limits).toMatchObject(keptTimes(settings));
		expect(responsesKeptMs(settings)).toBe(RESPONSE_KEPT_MS);
		expect({ ...DEFAULT_RUN_LIMITS, ...runDeadlines(settings) }).toEqual(DEFAULT_RUN_LIMITS);
	});

	it.each([
		["maxBodyMiB", "257", "from 1 to 256"],
		["bodyBudgetMiB", "3", "from 16 to 65536"],
		["requestSeconds", "4", "from 5 to 3600"],
		["stalledClientSeconds", "3601", "from 5 to 3600"],
		["keepAliveSeconds", "301", "from 1 to 300"],
		["conversationDays", "0", "from 1 to 3650"],
		["responseDays", "0", "from 1 to 3650"],
		["ledgerDays", "31", "from 32 to 3650"],
		["silenceSeconds", "9", "from 10 to 3600"],
		["heartbeatsMinutes", "0", "from 1 to 1440"],
		["turnMinutes", "1441", "from 1 to 1440"],
		["maxTurns", "0", "from 1 to 1000000"],
		["maxTurnsPerKey", "many", "from 1 to 1000000"],
		["maxGuestTurns", "-1", "from 0 to 1000000"],
		["maxParkedRuns", "1.5", "from 0 to 1000000"],
		["maxParkedRunsPerKey", "", "from 0 to 1000000"],
		["parkedMinutes", "0", "from 1 to 10080"],
		["maxConnections", "7", "from 8 to 1000000"],
	])("that is out of range is refused in one line: %s", (name, value, range) => {
		expect(() => loadSettings({ [name]: value }, {})).toThrow(`takes a whole number ${range}, not "${value}"`);
	});

	it("comes from the environment", () => {
		expect(loadSettings({}, { CURSORWIRE_MAX_TURNS_PER_KEY: "3" }).settings.maxTurnsPerKey).toBe(3);
		expect(loadSettings({}, { CURSORWIRE_PARKED_MINUTES: "90" }).settings.parkedMinutes).toBe(90);
	});
});

describe("the size of a body", () => {
	it("is refused beyond the setting, which the error names", async () => {
		const gateway = await startTestGateway({ emulator: { brain: "echo" }, settings: { maxBodyMiB: 1 } });
		expect((await chat(gateway, textOf(0.5))).status).toBe(200);
		const refused = await chat(gateway, textOf(2));
		expect(refused.status).toBe(413);
		expect(await messageOf(refused)).toMatch(/1 MiB.*the setting maxBodyMiB/);
		const pieces = new ReadableStream({
			start(controller) {
				controller.enqueue(new TextEncoder().encode(`{"model":"${textOf(2)}"}`));
				controller.close();
			},
		});
		const inChunks = await gateway.fetch("/v1/chat/completions", {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: pieces,
			duplex: "half",
		} as RequestInit);
		expect(inChunks.status).toBe(413);
		expect(await messageOf(inChunks)).toContain("the setting maxBodyMiB");
	});

	it("may be larger than by default, and one such body always fits into the budget", async () => {
		const gateway = await startTestGateway({
			emulator: { brain: "echo" },
			settings: { maxBodyMiB: 48, bodyBudgetMiB: 16 },
		});
		// A field that nobody looks at: Cursor itself takes no message of this size.
		const messages = [{ role: "user", content: "x" }];
		const body = { model: "composer-1", messages, padding: textOf(44) };
		expect((await gateway.post("/v1/chat/completions", body)).status).toBe(200);
	});

	it("leaves the other bodies their shares of the budget", () => {
		const { bodies } = serverLimits(settingsWith({ bodyBudgetMiB: 288 }), Number.POSITIVE_INFINITY);
		expect(bodies.small).toEqual({ total: 96 * MiB, perCaller: 48 * MiB, guests: 48 * MiB });
		expect(bodies.large).toEqual({ total: 192 * MiB, perCaller: 80 * MiB, guests: 96 * MiB });
	});
});

describe("turns under way", () => {
	/** A turn that does not end by itself. */
	const openTurn = async (gateway: TestGateway, key = gateway.key) => {
		const leaving = new AbortController();
		const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
		const body = JSON.stringify({ model: "composer-1", stream: true, messages: [{ role: "user", content: "x" }] });
		const response = await fetch(`${gateway.url}/v1/chat/completions`, {
			method: "POST",
			headers,
			body,
			signal: leaving.signal,
		});
		return { response, leave: () => leaving.abort() };
	};
	const hanging = {
		async *brain() {
			yield { text: "on my way" };
			yield { hang: true as const };
		},
	};

	it("are refused beyond the settings, which the errors name", async () => {
		const dataDir = temporaryFolder();
		const { key: other } = await addKey(dataDir, "other");
		const { key: third } = await addKey(dataDir, "third");
		const gateway = await startTestGateway({
			emulator: hanging,
			settings: { dataDir, maxTurns: 2, maxTurnsPerKey: 1 },
		});
		const first = await openTurn(gateway);
		const own = await openTurn(gateway);
		expect(own.response.status).toBe(429);
		expect(await messageOf(own.response)).toContain("the setting maxTurnsPerKey");
		const second = await openTurn(gateway, other);
		expect([first.response.status, second.response.status]).toEqual([200, 200]);
		const all = await openTurn(gateway, third);
		expect(all.response.status).toBe(503);
		expect(await messageOf(all.response)).toContain("the setting maxTurns");
		first.leave();
		second.leave();
	});
});

describe("runs that wait for tools", () => {
	it("are as many as the setting says", async () => {
		const gateway = await startTestGateway({ emulator: { brain: steps(1) }, settings: { maxParkedRunsPerKey: 1 } });
		for (let run = 0; run < 2; run++) await ask(gateway, [user("go")], { tools: [tool("step")] });
		await until(() => gateway.emulator.stats().runs.cancelled.length === 1);
		expect(gateway.gateway.parkedRuns()).toBe(1);
	});

	it("wait as long as the setting says", () => {
		expect(parkedLimits(settingsWith({ parkedMinutes: 90 })).deadlineMs).toBe(90 * 60_000);
	});
});

describe("what is kept", () => {
	it("is kept as long as the settings say", async () => {
		const DAY = 86_400_000;
		const caller = "someone";
		let now = Date.now();
		const kept = keptTimes(settingsWith({ conversationDays: 2, ledgerDays: 40 }));
		const store = await openStore({ dataDir: temporaryFolder(), now: () => now, kept, warn: () => {} });
		onTestFinished(() => store.close());
		const conversation = { caller, key: "one", conversationId: "c", state: new Uint8Array([1]), blobIds: [] };
		await store.putCheckpoint(conversation, new Map());
		await store.appendLedger([ledgerRow({ caller, at: now })]);
		const isKnown = async () => (await store.findCheckpoint(caller, "one")) !== undefined;
		const rows = async () => (await store.findRows({ caller }, 10)).rows.length;
		expect([await isKnown(), await rows()]).toEqual([true, 1]);
		now += 3 * DAY;
		await store.cleanUp();
		expect([await isKnown(), await rows()]).toEqual([false, 1]);
		now += 38 * DAY;
		await store.cleanUp();
		expect(await rows()).toBe(0);
	});

	it("a response that is kept no longer is refused with the name of the setting", async () => {
		const gateway = await startTestGateway({ emulator: { brain: "echo" }, settings: { responseDays: 3 } });
		const response = await gateway.fetch("/v1/responses/resp_unknown");
		expect(response.status).toBe(404);
		expect(await messageOf(response)).toContain("kept for 3 days after they have ended (the setting responseDays)");
	});
});

describe("connections", () => {
	it("are as many as the setting says, where the system allows as many open files", () => {
		expect(serverLimits(settingsWith({ maxConnections: 4_096 }), Number.POSITIVE_INFINITY).connections).toBe(4_096);
		expect(serverLimits(settingsWith({ maxConnections: 4_096 }), 1_064).connections).toBe(512);
	});
});
