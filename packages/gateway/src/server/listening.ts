import { lookup } from "node:dns/promises";
import type { Server } from "node:http";

/** The servers that listen, one for each address. `localhost` usually means two, and clients may try either of them. */
export class Listening {
	readonly #newServer: () => Server;
	readonly #addressesOf: (host: string) => Promise<string[]>;
	#servers: Server[] = [];

	constructor(newServer: () => Server, addressesOf = resolved) {
		this.#newServer = newServer;
		this.#addressesOf = addressesOf;
	}

	/** Resolves with the port. Rejects if the host cannot be listened on; of several addresses the first one counts. */
	async start(host: string, port: number): Promise<number> {
		const [first = host, ...others] = host === "localhost" ? await this.#addressesOf(host) : [];
		const actual = await this.#listen(first, port);
		// The system may not have an address, although one of its files names it.
		for (const other of others) await this.#listen(other, actual).catch(() => {});
		return actual;
	}

	/** Takes no more connections. Requests that are open go on. */
	refuse(): void {
		for (const server of this.#servers) server.close();
	}

	/** Ends all connections. */
	async stop(): Promise<void> {
		await Promise.all(this.#servers.map(closed));
		this.#servers = [];
	}

	#listen(address: string, port: number): Promise<number> {
		const server = this.#newServer();
		return new Promise((resolve, reject) => {
			server.once("error", reject);
			server.listen(port, address, () => {
				server.off("error", reject);
				this.#servers.push(server);
				resolve((server.address() as { port: number }).port);
			});
		});
	}
}

async function resolved(host: string): Promise<string[]> {
	const found = await lookup(host, { all: true }).catch(() => []);
	return found.map(({ address }) => address);
}

function closed(server: Server): Promise<void> {
	return new Promise((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}
