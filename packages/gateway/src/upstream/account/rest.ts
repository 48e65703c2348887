import { GatewayError } from "../../turn/error.ts";
import { inflate } from "../../wire/framing/compression.ts";
import { unary } from "../../wire/unary.ts";
import { decodeHttpError } from "../errors/decode-http-error.ts";
import { decodeThrown } from "../errors/decode-wire-error.ts";
import { restHeaders } from "./identity.ts";
import { pathUnder, type RpcClient } from "./rpc.ts";

/** The host that serves RPCs. The public REST API has a different one. */
const DEFAULT_RPC_HOST = "api2.cursor.sh";
const DEFAULT_REST_URL = "https://api.cursor.com";
const DEADLINE_MS = 15_000;

/** The base URL of a backend's REST API: a separate host for Cursor, the same host for any other backend. */
function restBaseUrl(upstream: URL): URL {
	return upstream.hostname === DEFAULT_RPC_HOST ? new URL(DEFAULT_REST_URL) : upstream;
}

/** `GET` on the public REST API. It accepts only API keys, not session tokens. */
export async function getJson(client: RpcClient, path: string, apiKey: string): Promise<unknown> {
	const base = restBaseUrl(client.baseUrl);
	try {
		const response = await unary(
			client.transport,
			{
				origin: base,
				key: client.connectionKey,
				path: pathUnder(base, path),
				method: "GET",
				headers: restHeaders(client.identity, { apiKey, ghostMode: client.ghostMode() }),
				deadlineMs: DEADLINE_MS,
			},
			new Uint8Array(),
		);
		if (response.status !== 200) throw decodeHttpError(response);
		const body = inflate(response.body, response.headers["content-encoding"] as string | undefined);
		return parse(body);
	} catch (error) {
		throw decodeThrown(error);
	}
}

function parse(body: Uint8Array): unknown {
	try {
		return JSON.parse(Buffer.from(body).toString("utf8"));
	} catch (cause) {
		throw new GatewayError("upstream-protocol", undefined, { detail: "The response is not JSON.", cause });
	}
}
