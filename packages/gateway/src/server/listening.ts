import { lookup } from "node:dns/promises";
import type { Server } from "node:http";
import { type AddressInfo, createServer as createNetServer, type Server as NetServer } from "node:net";

/** How `node:http` takes connections. */
const LIKE_HTTP = { allowHalfOpen: true, noDelay: true };

/** Makes a server listen. `localhost` usually means two addresses, and clients may try either of them. */
export class Listening {
	readonly #http: Server;
	readonly #addressesOf: (host: string) => Promise<string[]>;
	readonly #others: NetServer[] = [];

	constructor(http: Server, addressesOf = resolved) {
		this.#http = http;
		this.#addressesOf = addressesOf;
	}

	/** Resolves with the port. Rejects if the host cannot be listened on; of several addresses the first one counts. */
	async start(host: string, port: number): Promise<number> {
		const [first = host, ...others] = host === "localhost" ? await this.#addressesOf(host) : [];
		await bound(this.#http, first, port);
		const { port: actual } = this.#http.address() as AddressInfo;
		for (const other of others) await this.#listenToo(other, actual);
		return actual;
	}

	/** Ends all connections. */
	stop(): Promise<void> {
		for (const other of this.#others) other.close();
		return new Promise((resolve) => {
			this.#http.close(() => resolve());
			this.#http.closeAllConnections();
		});
	}

	/** Connections to a further address are served like all others. */
	async #listenToo(address: string, port: number): Promise<void> {
		const other = createNetServer(LIKE_HTTP, (socket) => this.#http.emit("connection", socket));
		// The system may not have this address, although a file names it.
		const isBound = await bound(other, address, port).then(
			() => true,
			() => false,
		);
		if (isBound) this.#others.push(other);
	}
}

async function resolved(host: string): Promise<string[]> {
	const found = await lookup(host, { all: true }).catch(() => []);
	return found.map(({ address }) => address);
}

function bound(server: NetServer, host: string, port: number): Promise<void> {
	return new Promise((resolve, reject) => {
		server.once("error", reject);
		server.listen(port, host, () => {
			server.off("error", reject);
			resolve();
		});
	});
}
