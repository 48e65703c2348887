import { GatewayError } from "../turn/error.ts";
import { hostOf } from "../wire/connect/proxy.ts";

/**
 * The upstream that credentials are sent to. Plain http is only allowed for a backend on this machine (the emulator):
 * anywhere else it would expose the tokens to the network.
 */
export function credentialOrigin(upstream: string): URL {
	const url = new URL(upstream);
	if (url.protocol === "https:" || isThisMachine(hostOf(url))) return url;
	throw new GatewayError("upstream-unavailable", `Credentials are not sent to ${url.origin} without TLS.`, {
		nextStep: "Use an https URL for the upstream; plain http is for an emulator on this machine.",
	});
}

/** The error for a credential that belongs to another upstream than the one in use. */
export function wrongOrigin(made: string, used: string): GatewayError {
	return new GatewayError("signed-out", `You are signed in to ${made}, but the upstream is ${used}.`, {
		nextStep: "Run `cursorwire login` for this upstream, or go back to the other one.",
	});
}

function isThisMachine(host: string): boolean {
	return host === "localhost" || host.endsWith(".localhost") || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}
