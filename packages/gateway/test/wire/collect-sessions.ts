// Run with --expose-gc. Peers send header blocks without an end until their connections fail, and the garbage collector
// runs in the same iteration of the event loop. Prints how many sessions are left, if the process survives.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Connect, createConnector } from "../../src/wire/connect/connector.ts";
import { H2Pool } from "../../src/wire/h2/h2-pool.ts";
import { ExchangeLog } from "../kit/network/exchange-log.ts";
import { FrameType, frame, RawPeer } from "../kit/network/h2-raw.ts";

const SESSIONS = 20;
const CONTINUATION = 9;
const FIELD = Buffer.from([0, 1, 0x78, 1, 0x79]);
/** More CONTINUATION frames than nghttp2 accepts. */
const FLOOD = Buffer.concat([
	frame(FrameType.HEADERS, 0, 1, FIELD),
	...new Array(30).fill(frame(CONTINUATION, 0, 1, FIELD)),
]);

const collectGarbage = (globalThis as unknown as { gc(options?: { type: "minor" }): void }).gc;
const sockets: WeakRef<Socket>[] = [];
const connectAndWatch: Connect = async (origin, options) => {
	const socket = await createConnector()(origin, options);
	sockets.push(new WeakRef(socket));
	return socket;
};

/** A byte on this socket makes the collector run, directly after the events of earlier writes to other sockets. */
async function openTrigger(collect: () => void): Promise<Socket> {
	const server = createServer().listen(0, "127.0.0.1").unref();
	await once(server, "listening");
	const receiver = connect((server.address() as AddressInfo).port, "127.0.0.1").unref();
	receiver.on("data", collect);
	const [sender] = (await once(server, "connection")) as [Socket];
	return sender.unref();
}

async function flood(collect: () => void): Promise<void> {
	const peer = await RawPeer.listen({ onConnection: ({ socket }) => void socket.setNoDelay() });
	const pool = new H2Pool({ connect: connectAndWatch });
	const recorders = Array.from({ length: SESSIONS }, () => new ExchangeLog());
	const open = (exchange: ExchangeLog, key: number) =>
		pool.open({ origin: peer.origin, key: String(key), path: "/", headers: {} }, exchange);
	await Promise.all(recorders.map(open));
	await Promise.all(peer.connections.map((connection) => connection.waitForType(FrameType.HEADERS)));
	const triggers = await Promise.all(peer.connections.map(() => openTrigger(collect)));
	for (const [index, connection] of peer.connections.entries()) {
		connection.send(FLOOD);
		triggers[index]?.write("x");
	}
	await Promise.all(recorders.map((exchange) => exchange.failure()));
	await pool.close();
	await peer.close();
}

await flood(() => collectGarbage({ type: "minor" }));
await flood(() => collectGarbage());
for (let rounds = 0; rounds < 3; rounds++) {
	await sleep(50);
	collectGarbage();
}
console.log(`${sockets.length} sessions, ${sockets.filter((socket) => socket.deref() !== undefined).length} left`);
