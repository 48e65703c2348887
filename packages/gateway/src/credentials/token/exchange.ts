import { GatewayError } from "../../turn/error.ts";
import type { AuthClient } from "../login/auth-client.ts";
import { refusedAnswer } from "../login/auth-failure.ts";
import { Secret } from "../secret.ts";

export const EXCHANGE_PATH = "/auth/exchange_user_api_key";

/** An access token for an API key. The key can be exchanged again and again, so nothing else of the answer is kept. */
export async function exchangeApiKey(client: AuthClient, apiKey: Secret): Promise<Secret> {
	const answer = await client.call({ path: EXCHANGE_PATH, bearer: apiKey });
	const token = answer.json?.accessToken;
	if (answer.status === 200 && typeof token === "string" && token !== "") return new Secret(token);
	const refused = refusedAnswer(answer);
	if (refused.kind !== "signed-out") throw refused;
	throw new GatewayError("signed-out", "Cursor does not accept this API key.", {
		detail: refused.detail,
		nextStep: "Make a new one in Cursor's dashboard and run `cursorwire login --api-key`.",
	});
}
