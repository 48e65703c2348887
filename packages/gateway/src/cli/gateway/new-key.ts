import { GatewayRefusal } from "../../connect/gateway-client.ts";

/** A running gateway knows a new key after a second. */
const WAIT_MS = 400;
const TRIES = 5;

/** Sends a request with a key that was made just now. */
export async function withNewKey<T>(request: () => Promise<T>): Promise<T> {
	for (let tries = 1; ; tries++) {
		try {
			return await request();
		} catch (error) {
			if (tries === TRIES || !(error instanceof GatewayRefusal) || error.status !== 401) throw error;
			await new Promise((wait) => setTimeout(wait, WAIT_MS));
		}
	}
}
