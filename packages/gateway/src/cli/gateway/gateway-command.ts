import { configuredKey } from "../../access/configured-key.ts";
import { type GatewayAddress, GatewayRefusal, GatewayUnreachable } from "../../connect/gateway-client.ts";
import { GatewayError } from "../../turn/error.ts";
import { loadHomeSettings } from "../home-settings.ts";
import type { GatewayCommandFlags } from "../options/gateway/gateway.ts";
import { type ChosenGateway, chooseGateway } from "./find-gateway.ts";

/** The running gateway that a command asks. */
export function gatewayOf({ url, ...settingFlags }: GatewayCommandFlags): ChosenGateway {
	const { settings } = loadHomeSettings(settingFlags);
	const key = settingFlags.keyFile === undefined ? undefined : configuredKey({ ...settings, key: "" });
	const named = { ...(url !== undefined && { url }), ...(key !== undefined && { key }) };
	return chooseGateway(settings, named, "--key-file");
}

/** A GET with the owner's key. Rejects unless the gateway responds with 200. */
export function askGateway(gateway: GatewayAddress, path: string, signal: AbortSignal): Promise<Response> {
	return send(gateway, path, { signal });
}

/** A POST without content, otherwise the same. */
export function postToGateway(gateway: ChosenGateway, path: string, signal: AbortSignal): Promise<Response> {
	return send(gateway, path, { signal, method: "POST", body: "{}", headers: { "content-type": "application/json" } });
}

type Sent = RequestInit & { signal: AbortSignal; headers?: Record<string, string> };

async function send(gateway: GatewayAddress, path: string, { signal, headers, ...init }: Sent): Promise<Response> {
	const withKey = { authorization: `Bearer ${gateway.key}`, ...headers };
	const response = await fetch(`${gateway.url}${path}`, { ...init, signal, headers: withKey }).catch((cause) => {
		const isGivenUp = signal.aborted && (signal.reason as Error)?.name !== "TimeoutError";
		throw isGivenUp ? new GatewayError("cancelled") : new GatewayUnreachable(gateway.url, cause);
	});
	if (response.ok) return response;
	const content = (await response.json().catch(() => undefined)) as { error?: { message?: string } } | undefined;
	throw new GatewayRefusal(gateway.url, response.status, content?.error?.message);
}
