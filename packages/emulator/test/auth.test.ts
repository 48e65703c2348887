import { createHash, randomBytes, randomUUID } from "node:crypto";
import { createClient } from "@connectrpc/connect";
import { DashboardService } from "@cursorwire/protocol/aiserver";
import { describe, expect, it } from "vitest";
import type { Emulator } from "../src/index.ts";
import { useEmulators } from "./kit/emulators.ts";
import { accessToken, fetchFrom, RunClient } from "./kit/run-client.ts";

const start = useEmulators();
const ONE_KEY = { accounts: [{ id: "user_1", email: "one@example.test", apiKeys: ["key_one"] }] };

async function post(emulator: Emulator, path: string, bearer: string | undefined, body: unknown = {}) {
	const response = await fetchFrom(emulator, path, {
		method: "POST",
		headers: { "content-type": "application/json", ...(bearer && { authorization: `Bearer ${bearer}` }) },
		body: JSON.stringify(body),
	});
	return { status: response.status, body: (await response.json()) as Record<string, string> };
}

describe("API keys", () => {
	it("are exchanged for a JWT with a real expiry", async () => {
		const emulator = await start({ accounts: { ...ONE_KEY, tokens: { accessLifeSeconds: 120 } } });
		const { status, body } = await post(emulator, "/auth/exchange_user_api_key", "key_one");
		expect(status).toBe(200);
		const claims = JSON.parse(Buffer.from(body.accessToken!.split(".")[1]!, "base64url").toString());
		expect(claims.sub).toBe("auth0|user_1");
		expect(claims.exp - claims.iat).toBe(120);
		expect(body.refreshToken).not.toBe(body.accessToken);
	});

	it("are refused when unknown, unless an account takes any", async () => {
		const closed = await start({ accounts: ONE_KEY });
		expect(await post(closed, "/auth/exchange_user_api_key", "key_other")).toMatchObject({
			status: 401,
			body: { error: { message: "Invalid User API Key" } },
		});
		expect((await post(await start(), "/auth/exchange_user_api_key", "whatever")).status).toBe(200);
	});

	it("can be minted, used and revoked", async () => {
		const emulator = await start({ accounts: ONE_KEY });
		const client = await RunClient.connect(emulator, { key: "key_one" });
		const dashboard = createClient(DashboardService, client.transport);
		const call = { headers: client.headers() };
		const { apiKey } = await dashboard.createUserApiKey({ name: "laptop" }, call);
		expect((await post(emulator, "/auth/exchange_user_api_key", apiKey)).status).toBe(200);
		const { apiKeys } = await dashboard.listUserApiKeys({}, call);
		expect(apiKeys).toMatchObject([{ name: "laptop" }]);
		await dashboard.revokeUserApiKey({ id: apiKeys[0]!.id }, call);
		expect((await post(emulator, "/auth/exchange_user_api_key", apiKey)).status).toBe(401);
	});
});

describe("refresh", () => {
	const CALLS = [
		{ name: "exchange", go: (e: Emulator, t: string) => post(e, "/auth/exchange_user_api_key", t) },
		{ name: "auth-refresh", go: (e: Emulator, t: string) => post(e, "/auth/refresh", t) },
		{ name: "auth-token", go: (e: Emulator, t: string) => post(e, "/auth/token", undefined, { refreshToken: t }) },
	];

	it.each(CALLS)("$name gives a new pair, and only where the switch lets it", async ({ name, go }) => {
		const emulator = await start({ switches: [`refresh=${name}`] });
		const { body } = await post(emulator, "/auth/exchange_user_api_key", "k");
		const renewed = await go(emulator, body.refreshToken!);
		expect(renewed.status).toBe(200);
		expect(renewed.body.accessToken).toMatch(/^ey/);
		emulator.set("refresh=none");
		expect((await go(emulator, body.refreshToken!)).status).toBe(401);
		expect(emulator.stats().auth).toMatchObject({ refreshes: 2, refused: 1 });
	});

	it("oauth/token tells a dead session in a 200", async () => {
		const emulator = await start();
		const { body } = await post(emulator, "/auth/exchange_user_api_key", "k");
		const ask = (refresh_token: string, client_id = "KbZUR41cY7W6zRSdpSUJ7I7mLYBKOCmB") =>
			post(emulator, "/oauth/token", undefined, { grant_type: "refresh_token", client_id, refresh_token });
		expect((await ask(body.refreshToken!)).body).toMatchObject({ shouldLogout: false });
		expect(await ask("dead")).toMatchObject({ status: 200, body: { access_token: "", shouldLogout: true } });
		expect((await ask(body.refreshToken!, "someone")).status).toBe(400);
	});

	it("can be single use", async () => {
		const emulator = await start({ accounts: { ...ONE_KEY, tokens: { singleUseRefresh: true } } });
		const { body } = await post(emulator, "/auth/exchange_user_api_key", "key_one");
		expect((await post(emulator, "/auth/refresh", body.refreshToken)).status).toBe(200);
		expect((await post(emulator, "/auth/refresh", body.refreshToken)).status).toBe(401);
	});
});

describe("access tokens", () => {
	it("stop working at once when told to, and a new one works", async () => {
		const emulator = await start({ brain: "echo" });
		const client = await RunClient.connect(emulator);
		emulator.expireTokens();
		await expect(client.run()).rejects.toMatchObject({ code: 16 });
		client.token = await accessToken(emulator);
		expect((await client.run({ prompt: "again" })).text).toBe("again");
	});

	it("of another signer are refused", async () => {
		const emulator = await start();
		const client = await RunClient.connect(emulator);
		client.token = `${client.token.slice(0, -4)}AAAA`;
		await expect(client.run()).rejects.toMatchObject({ code: 16 });
	});
});

describe("browser login", () => {
	const pkce = () => {
		const verifier = randomBytes(32).toString("base64url");
		return { uuid: randomUUID(), verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
	};
	const page = ({ uuid, challenge }: ReturnType<typeof pkce>) =>
		`/loginDeepControl?challenge=${challenge}&uuid=${uuid}&mode=login&redirectTarget=cli`;
	const poll = (emulator: Emulator, { uuid, verifier }: ReturnType<typeof pkce>) =>
		fetchFrom(emulator, "/auth/poll", {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify({ uuid, verifier }),
		});

	it("is pending until the button on the page is pressed", async () => {
		const emulator = await start();
		const login = pkce();
		const pending = await poll(emulator, login);
		expect([pending.status, await pending.text()]).toEqual([404, "Not found"]);
		const html = await (await fetchFrom(emulator, page(login))).text();
		expect(html).toContain('<button id="approve">');
		expect((await poll(emulator, login)).status).toBe(404);
		const form = new URLSearchParams({ uuid: login.uuid });
		await fetchFrom(emulator, "/loginDeepControl/approve", { method: "POST", body: form });
		const done = await poll(emulator, login);
		expect(done.status).toBe(200);
		expect(await done.json()).toMatchObject({
			accessToken: expect.stringMatching(/^ey/),
			refreshToken: expect.any(String),
		});
		// A login is good for one poll.
		expect((await poll(emulator, login)).status).toBe(404);
	});

	it("refuses a verifier that does not fit", async () => {
		const emulator = await start({ autoApprove: true });
		const login = pkce();
		await fetchFrom(emulator, page(login));
		expect((await poll(emulator, { ...login, verifier: "other" })).status).toBe(403);
	});

	it("polls by GET where POST is switched off, and the refusal says so", async () => {
		const emulator = await start({ autoApprove: true, switches: ["post-poll=off"] });
		const login = pkce();
		const refused = await poll(emulator, login);
		expect(refused.status).toBe(404);
		expect(await refused.text()).not.toBe("Not found");
		const got = await fetchFrom(emulator, `/auth/poll?uuid=${login.uuid}&verifier=${login.verifier}`);
		expect(got.status).toBe(200);
	});

	it("shows nothing of a link that is not its own text", async () => {
		const emulator = await start();
		const html = await (await fetchFrom(emulator, '/loginDeepControl?challenge=c&uuid="><script>x</script>')).text();
		expect(html).not.toContain("<script>");
	});
});
