// Who may see the page: a code that works once, for a minute, and a session that this start of the gateway knows.
import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { startTestGateway } from "../kit/gateway.ts";
import { LeapingClock } from "../kit/leaping-clock.ts";
import { exchange, newCode, openPage, PageClient } from "./page-client.ts";

const signedIn = async (page: PageClient) => (await page.fetch("nothing-here")).status === 404;
const errorOf = async (response: Response) => ((await response.json()) as { error: Record<string, string> }).error;

it("opens with a code once", async () => {
	const rig = await startTestGateway();
	const code = await newCode(rig);
	const first = await exchange(rig.url, code);
	expect(first.status).toBe(200);
	const { session, expiresAt } = (await first.json()) as { session: string; expiresAt: number };
	expect(await signedIn(new PageClient(rig.url, session))).toBe(true);
	expect(expiresAt - Date.now()).toBeGreaterThan(11 * 3_600_000);
	const second = await exchange(rig.url, code);
	expect(second.status).toBe(401);
	expect(await errorOf(second)).toMatchObject({
		message: "This address has been used already, or it is older than a minute.",
		nextStep: expect.stringMatching(/cursorwire open/),
	});
});

it("opens with the address that the gateway itself makes", async () => {
	const { gateway, url } = await startTestGateway();
	const [address, code] = gateway.pageUrl()!.split("/#");
	expect(address).toBe(url);
	expect(code).toMatch(/^[\w-]{43}$/);
	expect((await exchange(url, code!)).status).toBe(200);
});

it("does not open with a code that is older than a minute, wrong or no code at all", async () => {
	const clock = new LeapingClock();
	const rig = await startTestGateway({ clock });
	const code = await newCode(rig);
	clock.leap(60_001);
	expect((await exchange(rig.url, code)).status).toBe(401);
	expect((await exchange(rig.url, randomBytes(32).toString("base64url"))).status).toBe(401);
	expect((await exchange(rig.url, "")).status).toBe(401);
	expect((await exchange(rig.url, rig.key)).status).toBe(401);
	expect((await exchange(rig.url, "x".repeat(2_000))).status).toBe(401);
});

it("looks at no more codes for a minute after ten wrong ones", async () => {
	const clock = new LeapingClock();
	const rig = await startTestGateway({ clock });
	for (let attempt = 0; attempt < 10; attempt++) expect((await exchange(rig.url, `wrong-${attempt}`)).status).toBe(401);
	const refused = await exchange(rig.url, await newCode(rig));
	expect(refused.status).toBe(429);
	expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
	clock.leap(60_001);
	expect((await exchange(rig.url, await newCode(rig))).status).toBe(200);
});

it("ends a session when the page signs out, after twelve hours, and with the gateway", async () => {
	const clock = new LeapingClock();
	const rig = await startTestGateway({ clock });
	const [left, kept] = [await openPage(rig), await openPage(rig)];
	expect((await left.fetch("session", { method: "DELETE" })).status).toBe(204);
	expect(await signedIn(left)).toBe(false);
	expect(await signedIn(kept)).toBe(true);
	const other = await startTestGateway();
	expect(await signedIn(new PageClient(other.url, kept.session))).toBe(false);
	clock.leap(12 * 3_600_000);
	expect(await signedIn(kept)).toBe(false);
});

it("keeps 32 sessions and no more", async () => {
	const rig = await startTestGateway();
	const pages = [];
	for (let count = 0; count < 33; count++) pages.push(await openPage(rig));
	expect(await signedIn(pages[0]!)).toBe(false);
	expect(await signedIn(pages[1]!)).toBe(true);
	expect(await signedIn(pages[32]!)).toBe(true);
});

it("gives codes to the owner alone", async () => {
	const rig = await startTestGateway({ settings: { acceptCursorCredentials: true } });
	const ask = (key: string) =>
		rig.post("/v1/cursorwire/page-code", {}, { headers: { authorization: `Bearer ${key}` } });
	expect((await ask(rig.key)).status).toBe(200);
	expect((await ask("key_guest")).status).toBe(403);
	expect((await ask("cw_wrong")).status).toBe(401);
});

it("lets nothing below /page/api in by a key, in whatever spelling", async () => {
	const rig = await startTestGateway();
	const paths = rig.gateway.routes.filter(({ path }) => path.startsWith("/page/api/"));
	expect(paths.length).toBeGreaterThan(1);
	for (const { method, path } of paths) {
		if (method === "POST" && path === "/page/api/session") continue;
		for (const spelled of [path, path.replace("/page", "/%70age"), `${path}?x=1`]) {
			const response = await rig.fetch(spelled, {
				method,
				...(method === "POST" && { body: "{}", headers: { "content-type": "application/json" } }),
			});
			expect(response.status, `${method} ${spelled}`).toBe(401);
			expect(response.headers.get("cache-control"), spelled).toBe(spelled.includes("%") ? null : "no-store");
		}
	}
});

it.each([
	["a page of another site", { "sec-fetch-site": "cross-site" }],
	["a page of another port", { "sec-fetch-site": "same-site" }],
	["another origin", { origin: "http://evil.test" }],
	["an origin that may use the API", { origin: "http://localhost:3000" }],
	["another port as origin", { origin: "http://127.0.0.1:1" }],
])("is nothing to %s", async (_name, headers) => {
	const rig = await startTestGateway({ settings: { allowOrigins: "http://localhost:3000" } });
	const page = await openPage(rig);
	const denied = [await page.fetch("nothing-here", { headers }), await exchange(rig.url, await newCode(rig), headers)];
	for (const response of denied) {
		expect(response.status).toBe(403);
		expect([...response.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
	}
	const preflight = await page.fetch("session", {
		method: "OPTIONS",
		headers: { ...headers, "access-control-request-method": "POST" },
	});
	expect(preflight.status).toBe(403);
});

it("is there for its own origin", async () => {
	const rig = await startTestGateway();
	const page = await openPage(rig);
	expect((await page.fetch("nothing-here", { headers: { origin: rig.url } })).status).toBe(404);
});
