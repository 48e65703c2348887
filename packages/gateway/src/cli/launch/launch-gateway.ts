import { findGateway } from "../../app/discovery.ts";
import type { Settings } from "../../config/settings.ts";
import { chooseGateway, type GatewayFlags } from "../gateway/find-gateway.ts";
import { openGateway } from "../serving/open-gateway.ts";

/** The gateway that a launch uses. */
export interface LaunchGateway {
	/** Without `/v1`. */
	url: string;
	/** The key to use, if no key can be made for the launch alone. */
	givenKey?: string;
	/** It was started for this launch. */
	isOwn: boolean;
	close(): Promise<void>;
}

const HEALTH_LIMIT_MS = 2_000;

/** The gateway that was named, the one that runs on this data folder, or else one that ends with the launch. */
export async function openLaunchGateway(settings: Settings, flags: GatewayFlags): Promise<LaunchGateway> {
	if (flags.url !== undefined || flags.key !== undefined) {
		const { url, key } = chooseGateway(settings, flags);
		return { url, givenKey: key, isOwn: false, close: async () => {} };
	}
	const found = findGateway(settings.dataDir);
	if (found && (await isHealthy(found.url))) return { url: found.url, isOwn: false, close: async () => {} };
	return startOwn(settings);
}

/**
 * In this process, so that it cannot outlive it. It is not announced: another launch that found it would lose its gateway
 * in the middle of its work. The log would be written over what the client shows.
 */
async function startOwn(settings: Settings): Promise<LaunchGateway> {
	const own = { host: "127.0.0.1", port: 0, allowRemote: false, noAuth: false, page: false, logLevel: "silent" };
	const gateway = await openGateway({ ...settings, ...own });
	return { url: gateway.url, isOwn: true, close: () => gateway.close() };
}

async function isHealthy(url: string): Promise<boolean> {
	try {
		return (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(HEALTH_LIMIT_MS) })).ok;
	} catch {
		return false;
	}
}
