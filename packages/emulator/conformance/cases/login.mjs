import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { signInByHand } from "../kit/sign-in-by-hand.mjs";

const DASHBOARD = "/aiserver.v1.DashboardService";

/** @type {import("./index.mjs").Case} */
export const login = {
	name: "login",
	title: "browser sign-in, an API key created by it, and a run in a new process with that key",
	without: { login: "has no login: the same steps are made by hand, then the SDK uses the new key" },

	async prepare(kit) {
		const before = await kit.control.stats();
		const apiKey = kit.has("login") ? await signInBySdk(kit) : await signInByHand(kit.url, openPage);
		assert.ok(apiKey.length > 0, "a key was minted");

		const after = await kit.control.stats();
		assert.equal(after.auth.keysMinted - before.auth.keysMinted, 1);
		assert.ok(after.auth.polls > before.auth.polls, "the sign-in was polled for");
		const requests = await kit.control.requests();
		assert.ok(requests.some(({ path }) => path.startsWith("/auth/poll")));
		assert.ok(requests.some(({ path }) => path === `${DASHBOARD}/CreateUserApiKey`));
		assert.ok(requests.some(({ path }) => path === `${DASHBOARD}/GetMe`));
		return { apiKey };
	},

	async run({ control, has, sees }, { apiKey }) {
		const before = await control.stats();
		// An SDK that can log in finds the key in its own file; an older one has to be given the key.
		const options = { apiKey: has("login") ? undefined : apiKey };
		const used = await keysExchangedDuring(async () => {
			const { saw } = await sees("[text] signed in", options);
			assert.equal(saw.prompt, "[text] signed in");
		});
		assert.ok(used.has(apiKey), "the run's token was obtained with the new key");
		const after = await control.stats();
		assert.ok(after.auth.exchanges > before.auth.exchanges, "the key was exchanged for a token");
		assert.equal(after.auth.refused, before.auth.refused, "the key was accepted");
	},
};

/**
 * Credentials are hidden in the emulator's log, so the key is read where the SDK sends it.
 * @param {() => Promise<void>} action
 */
async function keysExchangedDuring(action) {
	const original = globalThis.fetch;
	const keys = new Set();
	globalThis.fetch = (resource, init) => {
		if (String(resource).endsWith("/auth/exchange_user_api_key")) {
			keys.add(new Headers(init?.headers).get("authorization")?.replace(/^Bearer /, ""));
		}
		return original(resource, init);
	};
	try {
		await action();
	} finally {
		globalThis.fetch = original;
	}
	return keys;
}

async function signInBySdk({ control, home, sdk, url }) {
	let shown;
	const result = await sdk.Cursor.auth.login({
		onLoginUrl: (loginUrl) => {
			shown = new URL(loginUrl);
			openPage(shown);
		},
	});
	assert.equal(shown.origin, new URL(url).origin);
	assert.equal(shown.pathname, "/loginDeepControl");
	assert.equal(shown.searchParams.get("redirectTarget"), "sdk");

	const status = await sdk.Cursor.auth.status();
	assert.equal(status.status, "logged-in");
	assert.equal(status.backendUrl, url);
	assert.ok(status.email?.includes("@"), `GetMe gave the address: ${JSON.stringify(status)}`);

	const minted = (await control.requests()).findLast(({ path }) => path === `${DASHBOARD}/CreateUserApiKey`);
	assert.ok(JSON.stringify(minted.body).includes(`Cursor SDK login (${hostname()})`), JSON.stringify(minted.body));

	const file = join(home, ".cursor", "sdk", "auth.json");
	assert.equal((await stat(file)).mode & 0o777, 0o600);
	assert.equal(JSON.parse(await readFile(file, "utf8")).apiKey, result.apiKey);
	return result.apiKey;
}

/** Stands in for the browser. The emulator approves the login when the page is opened. */
async function openPage(url) {
	const response = await fetch(url);
	assert.equal(response.status, 200, "the sign-in page opens");
	await response.text();
}
