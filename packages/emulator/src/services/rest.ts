import { bearerToken } from "../accounts/directory.ts";
import type { Backend } from "../backend.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Router } from "../http/router.ts";
import { restModels } from "./models.ts";

const CLOUD_AGENTS = {
	error: {
		code: "not_implemented",
		message: "Cloud agents are not emulated: this backend serves local agents only (Agent.create with `local`).",
	},
};

/** Cursor's public REST API, as far as SDK 1.0.32 needs it for a local agent. It takes API keys, not access tokens. */
export function addRest(router: Router, backend: Backend): void {
	const signedIn = (exchange: Exchange) => {
		const key = bearerToken(exchange.headers.authorization);
		const account = key ? backend.directory.byApiKey(key) : undefined;
		if (!account) exchange.json(401, { error: { code: "unauthorized", message: "Invalid User API Key" } });
		return account;
	};
	router.add("GET", "/v1/models", (exchange) => {
		if (signedIn(exchange)) exchange.json(200, restModels(backend.directory.models));
	});
	for (const path of ["/v1/agents", "/v1/repositories"]) {
		router.addBelow(path, (exchange) => {
			if (signedIn(exchange)) exchange.json(501, CLOUD_AGENTS);
		});
	}
	router.add("GET", "/v1/me", (exchange) => {
		const account = signedIn(exchange);
		if (account)
			exchange.json(200, { apiKeyName: "emulator", userEmail: account.email, createdAt: "2026-01-01T00:00:00Z" });
	});
}
