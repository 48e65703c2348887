import type { Target } from "../connect/client.ts";
import type { Variables } from "./launch-client.ts";

/** What OpenAI's and Anthropic's own libraries read, and most programs that are built on them. */
export const usualVariables = ({ url, key, model }: Target): Variables => ({
	OPENAI_BASE_URL: `${url}/v1`,
	// Older libraries read this name.
	OPENAI_API_BASE: `${url}/v1`,
	OPENAI_API_KEY: key,
	OPENAI_MODEL: model,
	ANTHROPIC_BASE_URL: url,
	ANTHROPIC_AUTH_TOKEN: key,
	// Many programs know only this one. Both are sent then, and the gateway refuses two that differ.
	ANTHROPIC_API_KEY: key,
	ANTHROPIC_MODEL: model,
});

const PROXIES = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];

/** A proxy of the user's must not get the requests to the gateway, which it could not reach. */
export function pastProxies(url: string, env: Readonly<Record<string, string | undefined>>): Variables {
	if (!PROXIES.some((name) => env[name])) return {};
	const host = new URL(url).hostname;
	const exempt = [env.NO_PROXY || env.no_proxy, host, ...(host === "127.0.0.1" ? ["localhost"] : [])];
	const value = exempt.filter((entry) => entry).join(",");
	return { NO_PROXY: value, no_proxy: value };
}
