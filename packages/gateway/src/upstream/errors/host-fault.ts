import type { GatewayError } from "../../turn/error.ts";
import { WireError, type WireErrorCode } from "../../wire/errors.ts";
import { isUnimplemented } from "./upstream-failure.ts";

/** Nothing came from the host at all. A connection that broke later speaks against the network, not against the host. */
const UNREACHABLE = new Set<WireErrorCode>(["connect-failed", "connect-timeout", "proxy-refused", "tls"]);

/** The cause of a failure that is not how a host that serves the account answers. */
export class WrongHost extends Error {
	override readonly name = "WrongHost";
}

/**
 * Whether a failed run speaks against the host that it went to: it cannot be reached, does not know the call, sends
 * elsewhere, or answers without a word, as one of the wrong region does. All else would be no better anywhere else.
 */
export function isHostFault(error: GatewayError): boolean {
	const { cause } = error;
	if (cause instanceof WireError) return UNREACHABLE.has(cause.code);
	return cause instanceof WrongHost || isUnimplemented(error);
}
