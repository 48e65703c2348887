// A20: a hostile HTTP/2 peer. At worst it ends its own connection: memory stays bounded and the process lives.
import { expect, it } from "vitest";
import { createConnector } from "../../src/wire/connect/connector.ts";
import { H2Pool } from "../../src/wire/h2/h2-pool.ts";
import { closing, until } from "../kit/cleanup.ts";
import { ExchangeLog } from "../kit/network/exchange-log.ts";
import { FrameFlag, FrameType, frame, frames, type RawConnection, RawPeer } from "../kit/network/h2-raw.ts";

const CONTINUATION = 9;
const MOST_BYTES = 64 << 20;
const MOST_RSS_GROWTH = 192 << 20;
const OK = { ":status": "200", "content-type": "application/connect+proto" };

const repeated = (bytes: Buffer) => Buffer.concat(new Array(Math.ceil(65_536 / bytes.length)).fill(bytes));

/** By name: what is sent first, and what is then sent repeatedly. */
const FLOODS: [string, Buffer[], Buffer][] = [
	["SETTINGS", [], repeated(frames.settings({ 4: 65_535 }))],
	["PING", [], repeated(frame(FrameType.PING, 0, 0, Buffer.alloc(8)))],
	["RST_STREAM of streams that are closed", [], repeated(frames.rst(1, 8))],
	[
		"CONTINUATION without an end",
		[frame(FrameType.HEADERS, 0, 1, Buffer.from([0, 1, 0x78, 1, 0x79]))],
		repeated(frame(CONTINUATION, 0, 1, Buffer.from([0, 1, 0x78, 1, 0x79]))),
	],
	["WINDOW_UPDATE beyond the largest window", [], repeated(frames.windowUpdate(0, 0x7fff_ffff))],
	["DATA of zero bytes", [frames.headers(1, OK)], repeated(frames.data(1, ""))],
	["unknown frames", [], repeated(frame(0xfa, 0, 0, Buffer.alloc(64)))],
];

/** Sends until the connection is closed, or until more would make no difference. */
async function pour(connection: RawConnection, piece: Buffer): Promise<number> {
	const { socket } = connection;
	let sent = 0;
	while (sent < MOST_BYTES && !socket.destroyed && socket.writable) {
		sent += piece.length;
		if (!socket.write(piece)) await roomIn(connection);
	}
	return sent;
}

function roomIn({ socket }: RawConnection): Promise<void> {
	return new Promise((resolve) => {
		const leave = () => {
			socket.off("drain", leave);
			socket.off("close", leave);
			resolve();
		};
		socket.on("drain", leave);
		socket.on("close", leave);
	});
}

it.each(FLOODS)("A20: survives a flood of %s, and another peer is served", async (_name, first, piece) => {
	const hostile = closing(await RawPeer.listen());
	const pool = closing(new H2Pool({ connect: createConnector(), pingIntervalMs: 200, pingTimeoutMs: 2000 }));
	const exchange = new ExchangeLog();
	const stream = await pool.open({ origin: hostile.origin, key: "", path: "/", headers: {} }, exchange);
	const connection = await hostile.connection();
	await connection.waitForType(FrameType.HEADERS);
	const before = process.memoryUsage().rss;
	connection.send(...first);
	await pour(connection, piece);
	expect(process.memoryUsage().rss - before).toBeLessThan(MOST_RSS_GROWTH);
	stream.cancel();

	const good = closing(
		await RawPeer.listen({
			onConnection: (peer) => {
				void peer.waitForType(FrameType.HEADERS).then(() => {
					peer.send(frames.headers(1, OK), frames.data(1, "well", FrameFlag.END_STREAM));
				});
			},
		}),
	);
	const other = new ExchangeLog();
	await pool.open({ origin: good.origin, key: "", path: "/", headers: {} }, other);
	await other.success();
	expect(other.body.toString()).toBe("well");
	await until(() => pool.stats().openStreams === 0);
});

it.each(["CONTINUATION without an end", "WINDOW_UPDATE beyond the largest window"])(
	"A20: the connection of a peer that sends %s is closed, and its stream fails",
	async (name) => {
		const [, first, piece] = FLOODS.find(([known]) => known === name)!;
		const hostile = closing(await RawPeer.listen());
		const pool = closing(new H2Pool({ connect: createConnector() }));
		const exchange = new ExchangeLog();
		await pool.open({ origin: hostile.origin, key: "", path: "/", headers: {} }, exchange);
		const connection = await hostile.connection();
		await connection.waitForType(FrameType.HEADERS);
		connection.send(...first);
		expect(await pour(connection, piece)).toBeLessThan(MOST_BYTES);
		expect(await exchange.failure()).toMatchObject({ code: "connection-lost", safeToRetry: false });
		await until(() => pool.stats().sessions === 0);
	},
);
