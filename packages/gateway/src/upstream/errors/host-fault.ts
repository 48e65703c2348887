import type { GatewayError } from "../../turn/error.ts";
import { WireError, type WireErrorCode } from "../../wire/errors.ts";
import { isUnimplemented } from "./upstream-failure.ts";

/** The host could not be reached. A connection that broke later points to the network, not to the host. */
const UNREACHABLE = new Set<WireErrorCode>(["connect-failed", "connect-timeout", "proxy-refused", "tls"]);

/** The cause of a failure that a host serving the account would not produce. */
export class WrongHost extends Error {
	override readonly name = "WrongHost";
}

/**
 * Whether a failed run is the fault of its host: it cannot be reached, does not know the method, redirects elsewhere,
 * or returns no message, as a host of the wrong region does. Any other failure would be the same on another host.
 */
export function isHostFault(error: GatewayError): boolean {
	const { cause } = error;
	if (cause instanceof WireError) return UNREACHABLE.has(cause.code);
	return cause instanceof WrongHost || isUnimplemented(error);
}
