// A TCP proxy that breaks things, with the vocabulary of Toxiproxy. Toxics apply to bytes that arrive after they were
// added, in the order: timeout, limit_data, latency, slicer, bandwidth; slow_close and reset_peer concern the end.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

export type Toxic =
	/** Each piece arrives `latency` ± `jitter` ms later. */
	| { type: "latency"; latency: number; jitter?: number }
	/** At most `rate` KB per second. */
	| { type: "bandwidth"; rate: number }
	/** Pieces of `averageSize` ± `sizeVariation` bytes, `delayUs` microseconds apart. */
	| { type: "slicer"; averageSize: number; sizeVariation?: number; delayUs?: number }
	/** Closes the connection after `bytes`, or resets it. */
	| { type: "limit_data"; bytes: number; reset?: boolean }
	/** TCP reset, `timeout` ms after the connection was made (or the toxic was added). */
	| { type: "reset_peer"; timeout: number }
	/** Nothing passes; closes after `timeout` ms, never with 0. */
	| { type: "timeout"; timeout: number }
	/** The end of the stream is passed on `delay` ms later. */
	| { type: "slow_close"; delay: number };

export type Direction = "upstream" | "downstream";

type ToxicOf<T extends Toxic["type"]> = Extract<Toxic, { type: T }>;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

export class TcpProxy {
	readonly #server: Server;
	readonly #target: URL;
	readonly #links = new Set<Link>();
	readonly #toxics: Record<Direction, Toxic[]> = { upstream: [], downstream: [] };
	readonly #gate: Gate = { opened: Promise.resolve() };
	readonly #port: number;
	/** Connections that were made, closed ones among them. */
	accepted = 0;

	/** `target` is where the bytes go; only its host and port are used. */
	static async listen(target: URL): Promise<TcpProxy> {
		const server = createServer({ allowHalfOpen: true });
		server.listen(0, "127.0.0.1");
		await once(server, "listening");
		return new TcpProxy(server, target);
	}

	private constructor(server: Server, target: URL) {
		this.#server = server;
		this.#target = target;
		this.#port = (server.address() as AddressInfo).port;
		server.on("connection", (client) => this.#accept(client));
	}

	/** The target's URL with the port of the proxy. */
	get origin(): URL {
		return new URL(`${this.#target.protocol}//127.0.0.1:${this.#port}`);
	}

	get connections(): number {
		return this.#links.size;
	}

	add(toxic: Toxic, direction: Direction = "downstream"): void {
		this.#toxics[direction].push(toxic);
		for (const link of this.#links) link.toxicAdded(toxic);
	}

	clear(): void {
		this.#toxics.upstream.length = 0;
		this.#toxics.downstream.length = 0;
	}

	/** What the target sends from now on waits until the returned function is called. */
	hold(): () => void {
		let open = () => {};
		this.#gate.opened = new Promise((resolve) => {
			open = resolve;
		});
		return open;
	}

	/** Cuts all connections and refuses new ones. */
	async down(): Promise<void> {
		const closed = this.#server.listening ? once(this.#server, "close") : undefined;
		this.#server.close();
		for (const link of this.#links) link.destroy();
		await closed;
	}

	/** Listens again on the same port. */
	async up(): Promise<void> {
		this.#server.listen(this.#port, "127.0.0.1");
		await once(this.#server, "listening");
	}

	async close(): Promise<void> {
		if (this.#server.listening) await this.down();
	}

	#accept(client: Socket): void {
		this.accepted += 1;
		const server = connect({
			port: Number(this.#target.port),
			host: this.#target.hostname,
			allowHalfOpen: true,
			noDelay: true,
		});
		client.setNoDelay();
		const link = new Link(client, server, this.#toxics, this.#gate);
		this.#links.add(link);
		client.on("close", () => this.#links.delete(link));
	}
}

/** Nothing passes before this is resolved. */
interface Gate {
	opened: Promise<void>;
}

/** A client and its connection to the target. */
class Link {
	readonly #client: Socket;
	readonly #server: Socket;

	constructor(client: Socket, server: Socket, toxics: Record<Direction, Toxic[]>, gate: Gate) {
		this.#client = client;
		this.#server = server;
		for (const socket of [client, server]) {
			socket.on("error", () => {});
			socket.on("close", () => this.destroy());
		}
		for (const toxic of [...toxics.upstream, ...toxics.downstream]) this.toxicAdded(toxic);
		void pump(client, server, toxics.upstream);
		void pump(server, client, toxics.downstream, gate);
	}

	toxicAdded(toxic: Toxic): void {
		if (toxic.type === "reset_peer") setTimeout(() => this.#reset(), toxic.timeout);
		if (toxic.type === "timeout" && toxic.timeout > 0) setTimeout(() => this.destroy(), toxic.timeout);
	}

	destroy(): void {
		this.#client.destroy();
		this.#server.destroy();
	}

	#reset(): void {
		if (!this.#client.destroyed) this.#client.resetAndDestroy();
		this.#server.destroy();
	}
}

/** Moves bytes one way until either side ends. */
async function pump(from: Socket, to: Socket, toxics: readonly Toxic[], gate?: Gate): Promise<void> {
	const find = <T extends Toxic["type"]>(type: T) => toxics.find((toxic) => toxic.type === type) as ToxicOf<T>;
	const inbox = new Inbox(from);
	let passed = 0;
	try {
		for (let arrival = await inbox.next(); arrival !== undefined; arrival = await inbox.next()) {
			if (find("timeout") !== undefined) continue;
			await gate?.opened;
			const limit = find("limit_data")?.bytes ?? Number.POSITIVE_INFINITY;
			const bytes = arrival.bytes.subarray(0, Math.max(0, limit - passed));
			passed += bytes.length;
			await delay(arrival.at, find("latency"));
			for (const piece of slices(bytes, find("slicer"))) await send(to, piece, find("slicer"), find("bandwidth"));
			if (passed >= limit) {
				if (find("limit_data").reset) to.write(Buffer.alloc(0), () => to.resetAndDestroy());
				else to.end(() => from.destroy());
				return;
			}
		}
		await sleep(find("slow_close")?.delay ?? 0);
		to.end();
	} catch {
		to.destroy();
	}
}

/** What a socket brought, with the time of it: a delayed piece must not delay the reading of the next. */
class Inbox {
	readonly #arrivals: { bytes: Buffer; at: number }[] = [];
	readonly #socket: Socket;
	#isEnded = false;
	#wake: () => void = () => {};

	constructor(socket: Socket) {
		this.#socket = socket;
		socket.on("data", (bytes: Buffer) => {
			this.#arrivals.push({ bytes, at: performance.now() });
			if (this.#arrivals.length > 64) socket.pause();
			this.#wake();
		});
		for (const event of ["end", "close"]) {
			socket.on(event, () => {
				this.#isEnded = true;
				this.#wake();
			});
		}
	}

	async next(): Promise<{ bytes: Buffer; at: number } | undefined> {
		while (this.#arrivals.length === 0 && !this.#isEnded) {
			this.#socket.resume();
			await new Promise<void>((resolve) => {
				this.#wake = resolve;
			});
		}
		return this.#arrivals.shift();
	}
}

async function delay(arrivedAt: number, toxic: ToxicOf<"latency"> | undefined): Promise<void> {
	if (toxic === undefined) return;
	const due = arrivedAt + toxic.latency + (Math.random() * 2 - 1) * (toxic.jitter ?? 0);
	await sleep(Math.max(0, due - performance.now()));
}

function* slices(bytes: Buffer, toxic: ToxicOf<"slicer"> | undefined): Generator<Buffer> {
	if (toxic === undefined) {
		yield bytes;
		return;
	}
	const variation = toxic.sizeVariation ?? 0;
	for (let start = 0; start < bytes.length; ) {
		const size = toxic.averageSize + Math.round((Math.random() * 2 - 1) * variation);
		const end = start + Math.max(1, size);
		yield bytes.subarray(start, end);
		start = end;
	}
}

async function send(
	to: Socket,
	piece: Buffer,
	slicer: ToxicOf<"slicer"> | undefined,
	bandwidth: ToxicOf<"bandwidth"> | undefined,
): Promise<void> {
	if (to.destroyed) throw new Error("the other side is gone");
	if (!to.write(piece)) await Promise.race([once(to, "drain"), once(to, "close")]);
	// Without a turn of the loop the kernel would join the slices again.
	if (slicer !== undefined) await (slicer.delayUs === undefined ? nextTurn() : sleep(slicer.delayUs / 1000));
	if (bandwidth !== undefined) await sleep(piece.length / bandwidth.rate);
}
