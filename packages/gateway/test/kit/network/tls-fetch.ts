import { request } from "node:https";
import type { Emulator } from "cursorwire-emulator";

/** The key exchange with an emulator whose certificate only its own CA vouches for. */
export function exchangeOverTls(emulator: Emulator): Promise<string> {
	return new Promise((resolve, reject) => {
		const call = request(
			`${emulator.url}/auth/exchange_user_api_key`,
			{
				method: "POST",
				ca: emulator.ca,
				headers: { authorization: "Bearer key_test", "content-type": "application/json" },
			},
			async (response) => {
				let body = "";
				for await (const chunk of response) body += chunk;
				resolve(JSON.parse(body).accessToken);
			},
		);
		call.on("error", reject);
		call.end("{}");
	});
}
