import { once } from "node:events";
import { connect, createServer, type Http2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ManualClock } from "../../../test/kit/manual-clock.ts";
import { Pinger } from "./h2-ping.ts";

let server: Http2Server;

beforeEach(async () => {
	server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
});
afterEach(() => void server.close());

async function connected() {
	const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
	await once(session, "remoteSettings");
	return session;
}

function watch(session: Awaited<ReturnType<typeof connected>>, isNeeded = () => true) {
	const clock = new ManualClock();
	let timeouts = 0;
	const onTimeout = () => void timeouts++;
	const pinger = new Pinger(session, { intervalMs: 100, timeoutMs: 50, clock, isNeeded, onTimeout });
	return { clock, pinger, timeouts: () => timeouts };
}

describe("Pinger", () => {
	it("is content while the peer answers", async () => {
		const session = await connected();
		const { clock, pinger, timeouts } = watch(session);
		for (let round = 0; round < 3; round++) {
			clock.advance(100);
			// Our own ping is answered after the pinger's: the peer keeps the order.
			await new Promise<void>((resolve) => void session.ping(() => resolve()));
		}
		expect(timeouts()).toBe(0);
		pinger.stop();
		session.destroy();
	});

	it("reports a peer that does not answer in time, once", async () => {
		const session = await connected();
		const { clock, pinger, timeouts } = watch(session);
		// Time passes without an iteration of the event loop, so that no acknowledgement can be read.
		clock.advance(149);
		expect(timeouts()).toBe(0);
		clock.advance(1);
		expect(timeouts()).toBe(1);
		pinger.stop();
		clock.advance(1000);
		expect(timeouts()).toBe(1);
		session.destroy();
	});

	it("leaves a session alone that nobody needs", async () => {
		const session = await connected();
		const { clock, pinger, timeouts } = watch(session, () => false);
		clock.advance(1000);
		expect(timeouts()).toBe(0);
		pinger.stop();
		session.destroy();
	});

	it.each(["destroy", "close"] as const)("U5: neither throws nor judges after %s() of the session", async (end) => {
		const session = await connected();
		const stream = session.request({ ":path": "/" }).on("error", () => {});
		const { clock, pinger, timeouts } = watch(session);
		session[end]();
		if (end === "destroy") expect(() => session.ping(() => {})).toThrow("destroyed");
		expect(() => pinger.ping()).not.toThrow();
		expect(() => clock.advance(1000)).not.toThrow();
		expect(timeouts()).toBe(0);
		pinger.stop();
		stream.destroy();
		session.destroy();
	});
});
