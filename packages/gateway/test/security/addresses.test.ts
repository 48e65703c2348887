// A2, A4 and A9, by hand: what a request says about where it goes and where it comes from.
import { describe, expect, it } from "vitest";
import { CHAT, expectRefusal, say, useRig } from "../kit/hostile/rig.ts";

const rig = useRig();
const BODY = JSON.stringify(say("hello"));

/** A request whose lines are all given. */
const lines = (...all: string[]) => `${all.join("\r\n")}\r\n\r\n`;
const key = () => `Authorization: Bearer ${rig.key}`;
const host = (value = `127.0.0.1:${rig.port}`) => `Host: ${value}`;
const get = (target: string, ...more: string[]) => lines(`GET ${target} HTTP/1.1`, ...more);
const post = (...more: string[]) =>
	lines(`POST ${CHAT} HTTP/1.1`, "Content-Type: application/json", `Content-Length: ${BODY.length}`, ...more) + BODY;

/** Sends it, and expects that it is refused and had no effect. */
async function expectForbidden(request: string, ...statuses: number[]): Promise<void> {
	const { started } = rig.emulator.stats().runs;
	const answer = await rig.refusalOf(Buffer.from(request, "latin1"));
	if (answer) {
		expect(statuses, answer.body).toContain(answer.status);
		expectRefusal(answer, ...statuses);
		for (const name of Object.keys(answer.headers)) expect(name).not.toMatch(/^access-control-|^set-cookie$/);
	}
	expect(rig.emulator.stats().runs.started).toBe(started);
}

describe("A2: Host", () => {
	it.each(["127.0.0.1", "localhost", "[::1]"])("may be %s with the port, and nothing else", async (name) => {
		expect((await rig.answerTo(get("/v1/models", host(`${name}:${rig.port}`), key()))).status).toBe(200);
		expect((await rig.answerTo(get("/healthz", host(`${name}:${rig.port}`)))).status).toBe(200);
		expect((await rig.answerTo(post(host(`${name}:${rig.port}`), key()))).status).toBe(200);
		await expectForbidden(get("/v1/models", host(name), key()), 403);
		await expectForbidden(get("/v1/models", host(`${name}:${rig.port + 1}`), key()), 403);
	});

	const foreign: ((port: number) => string)[] = [
		(port) => `evil.test:${port}`,
		() => "evil.test",
		(port) => `127.0.0.1:${port}.evil.test`,
		(port) => `127.0.0.1:${port}@evil.test`,
		(port) => `evil.test@127.0.0.1:${port}`,
		(port) => `127.0.0.1:${port},evil.test`,
		(port) => `127.0.0.1:${port}, 127.0.0.1:${port}`,
		(port) => `127.0.0.1:${port}#`,
		(port) => `127.0.0.1:${port}/`,
		(port) => `127.0.0.1:${port}\\`,
		(port) => `http://127.0.0.1:${port}`,
		(port) => `localhost.:${port}`,
		(port) => `LOCALHOST:${port}`,
		(port) => `sub.localhost:${port}`,
		(port) => `localhost:0${port}`,
		(port) => `localhost:+${port}`,
		(port) => `localhost:${port}:${port}`,
		(port) => `localhost::${port}`,
		(port) => `127.1:${port}`,
		(port) => `127.0.1:${port}`,
		(port) => `127.0.0.2:${port}`,
		(port) => `0.0.0.0:${port}`,
		(port) => `0:${port}`,
		(port) => `2130706433:${port}`,
		(port) => `0x7f000001:${port}`,
		(port) => `0177.0.0.1:${port}`,
		(port) => `[::]:${port}`,
		(port) => `[::ffff:127.0.0.1]:${port}`,
		(port) => `[0:0:0:0:0:0:0:1]:${port}`,
		(port) => `::1:${port}`,
		(port) => `[::1%25lo]:${port}`,
		(port) => `127.0.0.1.nip.io:${port}`,
		() => "",
		() => " ",
	];

	it.each(foreign.map((value) => [value(4280), value]))("is not %j", async (_shown, value) => {
		const named = host(value(rig.port));
		await expectForbidden(get("/v1/models", named, key()), 400, 403);
		await expectForbidden(get("/healthz", named), 400, 403);
		await expectForbidden(post(named, key()), 400, 403);
	});

	const doubtful: [string, () => string][] = [
		["two", () => get("/healthz", host(), host("evil.test"))],
		["two, the other way round", () => get("/healthz", host("evil.test"), host())],
		["the same twice", () => get("/healthz", host(), host())],
		["none", () => get("/healthz", key())],
		["none in HTTP/1.0", () => lines("GET /healthz HTTP/1.0", key())],
		["in the target, ours", () => get(`http://127.0.0.1:${rig.port}/healthz`, host())],
		["in the target, another", () => get("http://evil.test/healthz", host())],
		[
			"in the target, ours, and another in the header",
			() => get(`http://127.0.0.1:${rig.port}/healthz`, host("evil.test")),
		],
		["with two slashes in the target", () => get(`//evil.test/healthz`, host("evil.test"))],
		["in a folded line", () => get("/healthz", host("evil.test"), `\t127.0.0.1:${rig.port}`)],
		["in another header", () => get("/healthz", host("evil.test"), `X-Forwarded-Host: 127.0.0.1:${rig.port}`)],
	];

	it.each(doubtful)("is not %s", async (_name, request) => {
		await expectForbidden(request(), 400, 403);
	});
});

describe("A4: Origin", () => {
	const origins: ((port: number) => string)[] = [
		() => "null",
		() => "file://",
		() => "http://evil.test",
		() => "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
		() => "moz-extension://00000000-0000-0000-0000-000000000000",
		() => "vscode-webview://x",
		() => "http://localhost:3000",
		() => "http://127.0.0.1",
		(port) => `https://127.0.0.1:${port}`,
		(port) => `http://localhost:${port}`,
		(port) => `http://127.0.0.1:${port}.evil.test`,
		(port) => `http://127.0.0.1:${port}/`,
		(port) => `http://127.0.0.1:${port} http://evil.test`,
		(port) => `HTTP://127.0.0.1:${port}`,
		(port) => `http://user@127.0.0.1:${port}`,
		() => "*",
		() => "",
	];

	it.each(origins.map((value) => [value(4280), value]))("may not be %j", async (_shown, value) => {
		const origin = `Origin: ${value(rig.port)}`;
		const asks = ["authorization, content-type, x-api-key", "*"].map(
			(names) => `Access-Control-Request-Headers: ${names}`,
		);
		for (const headers of asks) {
			const preflight = [
				"Access-Control-Request-Method: POST",
				headers,
				"Access-Control-Request-Private-Network: true",
			];
			await expectForbidden(lines(`OPTIONS ${CHAT} HTTP/1.1`, host(), origin, ...preflight), 403);
		}
		await expectForbidden(post(host(), origin, key()), 403);
		await expectForbidden(get("/v1/models", host(), origin, key()), 403);
		await expectForbidden(get("/healthz", host(), origin), 403);
	});

	it("may be the gateway itself, which still needs a key and grants nothing to others", async () => {
		const own = `Origin: http://127.0.0.1:${rig.port}`;
		const answer = await rig.answerTo(post(host(), own, key()));
		expect(answer.status).toBe(200);
		expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
		expectRefusal(await rig.answerTo(post(host(), own)), 401);
		expectRefusal(await rig.answerTo(lines(`OPTIONS ${CHAT} HTTP/1.1`, host(), own)), 401);
		await expectForbidden(post(host(), own, own, key()), 400);
	});

	it.each(["cross-site", "same-site", "Cross-Site", "", "unknown"])(
		"is not needed where Sec-Fetch-Site says %j",
		async (site) => {
			await expectForbidden(post(host(), key(), `Sec-Fetch-Site: ${site}`), 403);
			await expectForbidden(get("/healthz", host(), `Sec-Fetch-Site: ${site}`), 403);
		},
	);
});

describe("A9: a claim to come from here", () => {
	it.each([
		"X-Forwarded-For: 127.0.0.1",
		"X-Real-IP: 127.0.0.1",
		"X-Client-IP: ::1",
		"True-Client-IP: localhost",
		"Forwarded: for=127.0.0.1;host=localhost;proto=http",
		"Via: 1.1 localhost",
		"X-Forwarded-Proto: https",
		"X-Original-URL: /healthz",
		"X-Rewrite-URL: /healthz",
		"X-HTTP-Method-Override: GET",
		"X-Cursorwire-Caller: owner",
		"Referer: http://127.0.0.1/",
		"Sec-Fetch-Site: same-origin",
		"Cookie: session=owner",
	])("changes nothing: %s", async (claim) => {
		expectRefusal(await rig.answerTo(get("/v1/models", host(), claim)), 401);
		expectRefusal(await rig.answerTo(post(host(), claim)), 401);
		await expectForbidden(get("/v1/models", host("evil.test"), claim, key()), 403);
		await expectForbidden(post(host(), claim, key(), "Origin: http://evil.test"), 403);
	});
});
