import { createHash, randomBytes } from "node:crypto";
import { startEmulator } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { AuthClient } from "../../src/credentials/login/auth-client.ts";
import { finishLogin, type LoginAttempt, startLogin } from "../../src/credentials/login/login-flow.ts";
import { Secret } from "../../src/credentials/secret.ts";
import type { Clock } from "../../src/time/clock.ts";
import { systemClock } from "../../src/time/clock.ts";
import { createConnector } from "../../src/wire/connect/connector.ts";
import { H1Client } from "../../src/wire/h1/h1.ts";
import { closing } from "../kit/cleanup.ts";
import { works } from "../kit/credentials/rig.ts";
import { fixed, openFront } from "./front.ts";

/** Does not wait, but remembers for how long it should have. */
class HastyClock implements Clock {
	readonly waits: number[] = [];
	onWait: (count: number) => void | Promise<void> = () => {};
	now = () => 0;

	after(ms: number, callback: () => void): () => void {
		this.waits.push(ms);
		const handle = setImmediate(async () => {
			await this.onWait(this.waits.length);
			callback();
		});
		return () => clearImmediate(handle);
	}
}

function clientOf(url: string): AuthClient {
	return new AuthClient(closing(new H1Client({ connect: createConnector() })), url);
}

async function approve({ url, uuid }: LoginAttempt): Promise<void> {
	await fetch(url);
	const { origin } = new URL(url);
	await fetch(`${origin}/loginDeepControl/approve`, { method: "POST", body: new URLSearchParams({ uuid }) });
}

describe("a login attempt", () => {
	it("shows the hash of its verifier, and a new one each time", () => {
		const { url, uuid, verifier } = startLogin("https://cursor.com/", randomBytes);
		const page = new URL(url);
		expect(page.origin + page.pathname).toBe("https://cursor.com/loginDeepControl");
		expect(Object.fromEntries(page.searchParams)).toEqual({
			challenge: createHash("sha256").update(verifier.reveal()).digest("base64url"),
			uuid,
			mode: "login",
			redirectTarget: "cli",
		});
		expect(verifier.reveal()).toMatch(/^[\w-]{43}$/);
		expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
		expect(startLogin("https://cursor.com", randomBytes).uuid).not.toBe(uuid);
	});
});

describe("a browser login", () => {
	it.each([
		["POST", []],
		["GET", ["post-poll=off"]],
	])("by %s is pending until the page is approved, then brings tokens that work", async (method, switches) => {
		const emulator = closing(await startEmulator({ switches }));
		const attempt = startLogin(emulator.url, randomBytes);
		const clock = new HastyClock();
		clock.onWait = (count) => (count === 3 ? approve(attempt) : undefined);
		const tokens = await finishLogin(attempt, clientOf(emulator.url), clock);
		expect(await works(emulator, tokens.accessToken)).toBe(true);
		expect(clock.waits).toEqual([1000, 1200, 1440]);
		expect(emulator.stats().auth).toMatchObject({ polls: 4, logins: 1 });
		const polls = emulator.requests().filter(({ path }) => path.startsWith("/auth/poll"));
		expect(polls.at(-1)).toMatchObject({ method });
	});

	it("with a verifier that does not fit ends at the third refusal", async () => {
		const emulator = closing(await startEmulator());
		const attempt = startLogin(emulator.url, randomBytes);
		await approve(attempt);
		const wrong = { ...attempt, verifier: new Secret("another") };
		await expect(finishLogin(wrong, clientOf(emulator.url), new HastyClock())).rejects.toMatchObject({
			kind: "permission-denied",
			detail: "The verifier does not fit the challenge.",
		});
		expect(emulator.stats().auth).toMatchObject({ polls: 3, logins: 0 });
	});

	it("ends at the third failure in a row", async () => {
		const front = await openFront();
		front.respond = fixed(503, "<html>down</html>");
		const failing = finishLogin(startLogin(front.url, randomBytes), clientOf(front.url), new HastyClock());
		await expect(failing).rejects.toMatchObject({
			kind: "upstream-unavailable",
			detail: "It answered with an HTML page.",
		});
		expect(front.seen).toHaveLength(3);
	});

	it("survives two failures in a row, also of the network", async () => {
		const emulator = closing(await startEmulator());
		const front = await openFront(emulator);
		const attempt = startLogin(emulator.url, randomBytes);
		await approve(attempt);
		front.respond = (request) => request.socket.destroy();
		const clock = new HastyClock();
		clock.onWait = (count) => {
			if (count === 1) front.respond = fixed(500);
			if (count === 2) front.respond = undefined;
		};
		await finishLogin(attempt, clientOf(front.url), clock);
		expect(front.seen).toHaveLength(3);
	});

	it("ends if the server has no such service at all", async () => {
		const front = await openFront();
		front.respond = fixed(404, { message: "Route GET:/auth/poll not found" });
		const failing = finishLogin(startLogin(front.url, randomBytes), clientOf(front.url), new HastyClock());
		await expect(failing).rejects.toMatchObject({ kind: "upstream-unavailable" });
		expect(front.seen).toEqual(["POST /auth/poll", "GET /auth/poll"]);
	});

	it("ends at once if the organisation refuses", async () => {
		const front = await openFront();
		front.respond = fixed(403, { error: "sign_in_policy_violation", message: "Use SSO." });
		const failing = finishLogin(startLogin(front.url, randomBytes), clientOf(front.url), new HastyClock());
		await expect(failing).rejects.toMatchObject({ kind: "permission-denied", detail: "Use SSO." });
		expect(front.seen).toHaveLength(1);
	});

	it.each(["before it starts", "while it waits", "while it asks"])("can be cancelled %s", async (when) => {
		const front = await openFront();
		const interrupt = new AbortController();
		if (when === "before it starts") interrupt.abort();
		front.respond = (request, response) => {
			if (when === "while it asks") interrupt.abort();
			else {
				fixed(404, "Not found")(request, response);
				setImmediate(() => interrupt.abort());
			}
		};
		const attempt = startLogin(front.url, randomBytes);
		const login = finishLogin(attempt, clientOf(front.url), systemClock, interrupt.signal);
		await expect(login).rejects.toMatchObject({ kind: "cancelled" });
	});
});
