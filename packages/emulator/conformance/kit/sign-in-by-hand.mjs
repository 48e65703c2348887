// The browser sign-in and the creation of an API key, step by step, as Cursor.auth.login() of SDK 1.0.27 and later does.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_LIMIT = 150;
const KEY_LIFETIME_MS = 90 * 24 * 60 * 60 * 1_000;

/**
 * @param {string} url of the backend, which serves the website's login page too
 * @param {(page: URL) => Promise<void>} openPage
 * @returns {Promise<string>} the minted key
 */
export async function signInByHand(url, openPage) {
	const verifier = randomBytes(32).toString("base64url");
	const challenge = createHash("sha256").update(verifier).digest("base64url");
	const uuid = randomUUID();

	const page = new URL("/loginDeepControl", url);
	page.search = new URLSearchParams({ challenge, uuid, mode: "login", redirectTarget: "sdk" }).toString();
	await openPage(page);

	const { accessToken } = await poll(url, { uuid, verifier });
	const { apiKey } = await call(url, "CreateUserApiKey", accessToken, {
		name: `Cursor SDK login (${hostname()})`,
		expiresAt: String(Date.now() + KEY_LIFETIME_MS),
	});
	await call(url, "GetMe", accessToken, {});
	return apiKey;
}

async function poll(url, body) {
	for (let attempt = 0; attempt < POLL_LIMIT; attempt++) {
		const response = await fetch(new URL("/auth/poll", url), {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify(body),
		});
		if (response.ok) return response.json();
		const text = await response.text();
		if (response.status !== 404 || text !== "Not found") throw new Error(`poll: ${response.status} ${text}`);
		await sleep(Math.min(1_000 * 1.2 ** attempt, 10_000));
	}
	throw new Error("the sign-in was never approved");
}

async function call(url, method, accessToken, message) {
	const response = await fetch(new URL(`/aiserver.v1.DashboardService/${method}`, url), {
		method: "POST",
		headers: {
			"content-type": "application/json",
			"connect-protocol-version": "1",
			authorization: `Bearer ${accessToken}`,
		},
		body: JSON.stringify(message),
	});
	if (!response.ok) throw new Error(`${method}: ${response.status} ${await response.text()}`);
	return response.json();
}
