import { bearerToken } from "../accounts/directory.ts";
import type { Backend } from "../backend.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Router } from "../http/router.ts";

const OAUTH_CLIENT_ID = "KbZUR41cY7W6zRSdpSUJ7I7mLYBKOCmB";

/** The exchange of API keys, and the refresh calls that known clients use. */
export function addTokenEndpoints(router: Router, backend: Backend): void {
	const { directory, stats, switches } = backend;
	const serves = (call: string) => switches.get("refresh") === "all" || switches.get("refresh") === call;
	const refuse = (exchange: Exchange, message: string) => {
		stats.auth.refused += 1;
		exchange.json(401, { error: { code: "unauthenticated", message } });
	};
	const refresh = (exchange: Exchange, call: string, token: string) => {
		stats.auth.refreshes += 1;
		const pair = serves(call) ? directory.refresh(token) : undefined;
		if (pair) exchange.json(200, pair);
		else refuse(exchange, "The refresh token is not valid.");
	};

	router.add("POST", "/auth/exchange_user_api_key", (exchange) => {
		const bearer = bearerToken(exchange.headers.authorization);
		if (!bearer) return refuse(exchange, "No API key was sent.");
		if (directory.isRefreshToken(bearer)) return refresh(exchange, "exchange", bearer);
		stats.auth.exchanges += 1;
		const account = directory.byApiKey(bearer);
		if (!account) return refuse(exchange, "Invalid User API Key");
		exchange.json(200, { ...directory.issue(account), authId: `auth0|${account.id}` });
	});

	router.add("POST", "/auth/refresh", (exchange) =>
		refresh(exchange, "auth-refresh", bearerToken(exchange.headers.authorization) ?? ""),
	);

	router.add("POST", "/auth/token", async (exchange) => {
		const body = await jsonBody(exchange);
		refresh(exchange, "auth-token", String(body.refreshToken ?? body.refresh_token ?? ""));
	});

	// This endpoint reports an expired login with status 200 and an empty token.
	router.add("POST", "/oauth/token", async (exchange) => {
		const body = await jsonBody(exchange);
		stats.auth.refreshes += 1;
		if (body.grant_type !== "refresh_token" || body.client_id !== OAUTH_CLIENT_ID) {
			return exchange.json(400, { error: "invalid_request", message: "grant_type or client_id is wrong" });
		}
		const pair = serves("oauth-token") ? directory.refresh(String(body.refresh_token ?? "")) : undefined;
		if (!pair) {
			stats.auth.refused += 1;
			return exchange.json(200, { access_token: "", id_token: "", shouldLogout: true });
		}
		const { accessToken, refreshToken } = pair;
		exchange.json(200, { access_token: accessToken, refresh_token: refreshToken, shouldLogout: false });
	});
}

async function jsonBody(exchange: Exchange): Promise<Record<string, unknown>> {
	try {
		return JSON.parse((await exchange.body()).toString("utf8"));
	} catch {
		return {};
	}
}
