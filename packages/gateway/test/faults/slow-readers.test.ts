import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { KeyRing } from "../../src/access/key-ring.ts";
import { openStore } from "../../src/store/open-store.ts";
import { type Clock, systemClock } from "../../src/time/clock.ts";
import { DEFAULT_STREAM_LIMITS } from "../../src/turns/stream-limits.ts";
import { until } from "../kit/cleanup.ts";
import { chatClient } from "../kit/dialects/chat-client.ts";
import { askIn } from "../kit/dialects/dialect-client.ts";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";
import { temporaryFolder } from "../kit/program.ts";
import { user } from "../kit/upstream.ts";

const READERS = 200;
const READ_MS = 3_000;
const CUT_AFTER_MS = 15_000;

/** Real time, but a client that reads nothing is given up sooner than after a minute. */
const impatient: Clock = {
	now: systemClock.now,
	after: (ms, callback) =>
		systemClock.after(ms === DEFAULT_STREAM_LIMITS.stalledClientMs ? CUT_AFTER_MS : ms, callback),
};

/** Asks, and reads a kilobyte a second of the answer. */
function readSlowly(gateway: TestGateway, key: string): Socket {
	const { hostname, port } = new URL(gateway.url);
	const socket = connect({ host: hostname, port: Number(port) });
	socket.on("error", () => {});
	const body = JSON.stringify({
		model: "composer-1",
		stream: true,
		messages: [{ role: "user", content: "flood" }],
	});
	socket.write(
		`POST /v1/chat/completions HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${key}\r\n` +
			`content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
	);
	socket.pause();
	const reading = setInterval(() => socket.read(1024), 1000);
	socket.on("close", () => clearInterval(reading));
	onTestFinished(() => void socket.destroy());
	return socket;
}

it("L5: 200 readers at 1 KB/s close the windows upstream, cost no more as time goes on, and are cut", async () => {
	const dataDir = temporaryFolder();
	const key = await keyForMany(dataDir);
	const gateway = await startTestGateway({
		clock: impatient,
		settings: { dataDir },
		emulator: {
			async *brain({ prompt }) {
				if (prompt !== "flood") yield { text: prompt };
				else for (;;) yield { text: "x".repeat(65_536) };
			},
		},
	});
	const sockets = Array.from({ length: READERS }, () => readSlowly(gateway, key));
	await until(() => gateway.emulator.stats().streams.open === READERS);
	await quiet(gateway);

	const framesBefore = gateway.emulator.stats().frames.sent;
	const rssBefore = process.memoryUsage().rss;
	// What is measured is what time costs: the readers and the buffers of the kernel go by real time.
	await new Promise((resolve) => setTimeout(resolve, READ_MS));
	// Heartbeats of the emulator may still come; text may not.
	expect(gateway.emulator.stats().frames.sent - framesBefore).toBeLessThan(READERS * 20);
	expect(process.memoryUsage().rss - rssBefore).toBeLessThan(64 << 20);
	const other = await askIn(chatClient, gateway, { messages: [user("me too")] });
	expect(other).toMatchObject({ text: "me too", error: undefined });

	// None has left by itself: from here on it is the gateway that cuts them.
	expect(sockets.filter(({ destroyed }) => destroyed)).toHaveLength(0);
	await until(() => gateway.gateway.upstream().runs === 0 && gateway.emulator.stats().exchanges.open === 0);
});

/** Waits until the upstream has stopped sending: three seconds with no more than a heartbeat for each reader. */
async function quiet(gateway: TestGateway): Promise<void> {
	for (let still = 0; still < 3; ) {
		const before = gateway.emulator.stats().frames.sent;
		await new Promise((resolve) => setTimeout(resolve, 1_000));
		still = gateway.emulator.stats().frames.sent - before <= 1.1 * READERS ? still + 1 : 0;
	}
}

/** A key that may have all of the readers at once. */
async function keyForMany(dataDir: string): Promise<string> {
	const store = await openStore({ dataDir, warn: () => {} });
	const ring = new KeyRing({ store, now: Date.now, random: randomBytes });
	const { key } = await ring.add("readers", { limits: { concurrentTurns: READERS } });
	await store.close();
	return key;
}
