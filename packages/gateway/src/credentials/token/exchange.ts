import { GatewayError } from "../../turn/error.ts";
import type { AuthClient } from "../login/auth-client.ts";
import { refusedResponse } from "../login/auth-failure.ts";
import { Secret } from "../secret.ts";

export const EXCHANGE_PATH = "/auth/exchange_user_api_key";

/** Exchanges an API key for an access token. The key can be used again, so nothing else of the response is kept. */
export async function exchangeApiKey(client: AuthClient, apiKey: Secret): Promise<Secret> {
	const response = await client.call({ path: EXCHANGE_PATH, bearer: apiKey });
	const token = response.json?.accessToken;
	if (response.status === 200 && typeof token === "string" && token !== "") return new Secret(token);
	const refused = refusedResponse(response);
	if (refused.kind !== "signed-out") throw refused;
	throw new GatewayError("signed-out", "Cursor does not accept this API key.", {
		detail: refused.detail,
		nextStep: "Create a new one in Cursor's dashboard and run `cursorwire login --api-key`.",
	});
}
