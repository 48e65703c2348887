import { startEmulator } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { closing, until } from "../kit/cleanup.ts";
import { openRigOn, type Rig, sessionOf, works } from "../kit/credentials/rig.ts";
import { ManualClock } from "../kit/manual-clock.ts";
import { type Front, fixed, openFront, type Respond } from "./front.ts";

const PATHS = {
	exchange: "POST /auth/exchange_user_api_key",
	"auth-refresh": "POST /auth/refresh",
	"auth-token": "POST /auth/token",
	"oauth-token": "POST /oauth/token",
};
const ORDER = Object.values(PATHS);

/** A browser login with an expired access token, on an emulator behind a front. */
async function expiredLogin(
	options: { switches?: string[]; wireClock?: ManualClock } = {},
): Promise<{ rig: Rig; front: Front }> {
	const emulator = closing(await startEmulator({ switches: options.switches }));
	const front = await openFront(emulator);
	const rig = await openRigOn(emulator, { upstream: front.url, wireClock: options.wireClock });
	await rig.keeper.save(await sessionOf(rig, "expired"));
	return { rig, front };
}

describe("a session is renewed", () => {
	it.each(Object.entries(PATHS))("by %s if only that works, and first by it the next time", async (call, path) => {
		const { rig, front } = await expiredLogin({ switches: [`refresh=${call}`] });
		const token = await rig.account().token();
		expect(await works(rig.emulator, token)).toBe(true);
		expect(front.seen).toEqual(ORDER.slice(0, ORDER.indexOf(path) + 1));
		front.seen.length = 0;
		rig.emulator.expireTokens();
		const renewed = await rig.account().tokenRefused(token);
		expect(await works(rig.emulator, renewed)).toBe(true);
		expect(front.seen).toEqual([path]);
	});

	it("by another call if the one that worked last time is gone", async () => {
		const { rig, front } = await expiredLogin({ switches: ["refresh=oauth-token"] });
		const account = rig.account();
		const token = await account.token();
		rig.emulator.set("refresh=auth-refresh");
		rig.emulator.expireTokens();
		front.seen.length = 0;
		expect(await works(rig.emulator, await account.tokenRefused(token))).toBe(true);
		expect(front.seen).toEqual([PATHS["oauth-token"], PATHS.exchange, PATHS["auth-refresh"]]);
	});

	it("by no call: signed out, after all were tried", async () => {
		const { rig, front } = await expiredLogin({ switches: ["refresh=none"] });
		await expect(rig.account().token()).rejects.toMatchObject({
			kind: "signed-out",
			message: expect.stringMatching(/^The login expired on \d{4}-\d\d-\d\d, and Cursor no longer renews it\.$/),
		});
		expect(front.seen).toEqual(ORDER);
	});
});

describe("K3: a renewal that fails deletes nothing", () => {
	const cases: [name: string, respond: Respond, kind: string, calls: number][] = [
		["400", fixed(400, { error: "invalid_grant" }), "signed-out", 4],
		["401", fixed(401, { error: { message: "dead" } }), "signed-out", 4],
		["403 of a policy", fixed(403, { error: "sign_in_policy_violation" }), "permission-denied", 1],
		["404", fixed(404, "Not found"), "signed-out", 4],
		["429", fixed(429, "", { "retry-after": "3" }), "rate-limited", 1],
		["500", fixed(500, "oops"), "upstream-unavailable", 4],
		["a page", fixed(200, "<html>Sign in to the Wi-Fi</html>"), "upstream-protocol", 1],
		["garbage", fixed(200, "\u0000\u0001{"), "upstream-protocol", 1],
		["a token that is none", fixed(200, { accessToken: 7 }), "upstream-protocol", 1],
		["a dead session in a 200", fixed(200, { access_token: "", shouldLogout: true }), "signed-out", 4],
		["a redirect", fixed(302, "", { location: "http://127.0.0.1:9/" }), "upstream-unavailable", 1],
		["a cut connection", (request) => void request.socket.destroy(), "upstream-unavailable", 1],
	];

	it.each(cases)("%s", async (_, respond, kind, calls) => {
		const { rig, front } = await expiredLogin();
		const before = rig.file();
		front.respond = respond;
		await expect(rig.account().token()).rejects.toMatchObject({ kind });
		expect(front.seen).toHaveLength(calls);
		expect(rig.file()).toBe(before);
		front.respond = undefined;
		expect(await works(rig.emulator, await rig.account().token())).toBe(true);
	});

	it("a server that does not respond", async () => {
		const wireClock = new ManualClock();
		const { rig, front } = await expiredLogin({ wireClock });
		const before = rig.file();
		front.respond = (request) => void request.resume();
		const outcome = rig
			.account()
			.token()
			.catch((error) => error);
		await until(() => front.seen.length === 1);
		wireClock.advance(15_000);
		expect(await outcome).toMatchObject({ kind: "upstream-timeout" });
		expect(front.seen).toHaveLength(1);
		expect(rig.file()).toBe(before);
	});

	it("says nothing of the tokens in any of its errors", async () => {
		const { rig, front } = await expiredLogin();
		const { refreshToken } = JSON.parse(rig.file());
		for (const status of [401, 403, 500]) {
			// The worst case is a server that quotes what it received.
			front.respond = (request, response) =>
				fixed(status, { message: request.headers.authorization })(request, response);
			const error = await rig
				.account()
				.token()
				.catch((error) => error);
			expect(`${error.fullMessage}${error.stack}${JSON.stringify(error)}`).not.toContain(refreshToken);
		}
	});
});
