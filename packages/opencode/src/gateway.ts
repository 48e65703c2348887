import { findLocalGateway } from "cursorwire/local";
import { startProgram } from "./program.ts";

/** Where requests go, and the key that they carry. */
export interface Gateway {
	url: string;
	key: string;
}

const HEALTH_LIMIT_MS = 2_000;

/** Finds the gateway or starts one, and does so again if it has ended. */
export class GatewayKeeper {
	readonly #fixed: Gateway | undefined;
	#current: Promise<Gateway> | undefined;

	/** `fixed` is a gateway that the user named, so none is looked for. */
	constructor(fixed?: Gateway) {
		this.#fixed = fixed;
	}

	current(): Promise<Gateway> {
		if (this.#fixed) return Promise.resolve(this.#fixed);
		this.#current ??= findOrStart().catch((error) => {
			this.#current = undefined;
			throw error;
		});
		return this.#current;
	}

	/**
	 * Sends a request to the gateway, which may have ended together with the OpenCode that started it, and may have a new
	 * address. A request is only sent again if it could not be delivered.
	 */
	async fetch(path: string, init: RequestInit = {}): Promise<Response> {
		const known = this.#current;
		try {
			return await send(await this.current(), path, init);
		} catch (error) {
			if (known === undefined || this.#fixed || !isUnreached(error)) throw error;
			if (this.#current === known) this.#current = undefined;
			return send(await this.current(), path, init);
		}
	}
}

function send({ url, key }: Gateway, path: string, init: RequestInit): Promise<Response> {
	const headers = new Headers(init.headers);
	headers.set("authorization", `Bearer ${key}`);
	return fetch(`${url}${path}`, { ...init, headers });
}

/** Bun has its own code for a refused connection; Node has the code in the error's cause. */
function isUnreached(error: unknown): boolean {
	const { code, cause } = error as { code?: string; cause?: { code?: string } };
	return [code, cause?.code].some((name) => name === "ConnectionRefused" || name === "ECONNREFUSED");
}

async function findOrStart(): Promise<Gateway> {
	const found = findLocalGateway();
	if (found && (await isHealthy(found.url))) {
		if (found.key === undefined && found.auth !== "none") {
			throw new Error(`The gateway at ${found.url} has a key of its own: set CURSORWIRE_KEY to it.`);
		}
		return { url: found.url, key: found.key ?? "none" };
	}
	const program = startProgram(["serve", "--port", "0", "--json", "--log-level", "warn"]);
	const { url, key } = (await program.nextLine()) as { url: string; key: string };
	// The gateway ends with this process and must not keep it running.
	program.child.unref();
	return { url, key };
}

async function isHealthy(url: string): Promise<boolean> {
	try {
		return (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(HEALTH_LIMIT_MS) })).ok;
	} catch {
		return false;
	}
}
