import OpenAI, { APIError } from "openai";
import type { Client, ClientError, Setup } from "./client.ts";

export const connect = ({ url, apiKey, fetch }: Setup) =>
	new OpenAI({ baseURL: `${url}/v1`, apiKey, fetch, maxRetries: 0 });

export function errorOf(error: unknown): ClientError {
	const { constructor: kind, message } = error as Error;
	return { name: kind.name, status: error instanceof APIError ? error.status : undefined, message };
}

export const errors: Client["errors"] = {
	badKey: "AuthenticationError",
	noModel: "NotFoundError",
	rateLimit: "RateLimitError",
	upstream: "InternalServerError",
	midStream: "APIError",
	aborted: /^APIUserAbortError$/,
};
