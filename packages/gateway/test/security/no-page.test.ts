// Beside the page at / there is none to attack: whatever another would need, or could be made to show, is refused or
// inert.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProfile } from "../kit/browser.ts";
import type { RawResponse } from "../kit/hostile/raw-client.ts";
import { CHAT, expectAnyRefusal, say, targetOf, useRig } from "../kit/hostile/rig.ts";

const rig = useRig();

/** Where a page, its parts, its streams or its login would be. */
const PAGES = [
	"/index.html",
	"/dashboard",
	"/dashboard/",
	"/ui",
	"/admin",
	"/login",
	"/logout",
	"/auth",
	"/session",
	"/token",
	"/api/login",
	"/events",
	"/api/events",
	"/stream",
	"/logs",
	"/ws",
	"/socket.io/",
	"/assets/app.js",
	"/static/app.css",
	"/favicon.ico",
	"/robots.txt",
	"/manifest.json",
	"/service-worker.js",
];
/** Not JSON: files of the page, which `test/page` has the tests of, and plain text for Prometheus. */
const OTHERS = ["/page/page.js", "/page/page.css", "/page/icon.svg", "/metrics"];
const allPaths = () =>
	[...new Set([...PAGES, ...rig.gateway.routes.map(({ path }) => targetOf(path))])].filter(
		(path) => !OTHERS.includes(path),
	);
const request = (target: string, ...lines: string[]) =>
	`${[`GET ${target} HTTP/1.1`, `Host: 127.0.0.1:${rig.port}`, ...lines].join("\r\n")}\r\n\r\n`;
const key = () => `Authorization: Bearer ${rig.key}`;

/** Nothing that a browser would show as a page, run as a script or keep as a login. */
function expectInert({ headers, body }: RawResponse): void {
	expect(headers["content-type"] ?? "application/json; charset=utf-8").toBe("application/json; charset=utf-8");
	expect(Object.keys(headers)).not.toContain("set-cookie");
	expect(Object.keys(headers)).not.toContain("location");
	if (body !== "") expect(() => JSON.parse(body)).not.toThrow();
}

describe("A5: a stream for a page", () => {
	const upgrade = [
		"Connection: Upgrade",
		"Upgrade: websocket",
		"Sec-WebSocket-Version: 13",
		"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
	];

	/** For clients that send a key, which no page can send with a WebSocket. */
	const FOR_CLIENTS = ["/v1/responses", "/responses", "/v1/v1/responses"];

	it("is opened by no WebSocket, with or without a key, but for clients of Responses that have one", async () => {
		for (const path of allPaths()) {
			for (const more of [[], [key()], [key(), "Origin: http://evil.example"]]) {
				if (FOR_CLIENTS.includes(path) && more.length === 1) continue;
				const answer = await rig.answerTo(request(path, ...upgrade, ...more));
				expect(answer.status, path).not.toBe(101);
				expectInert(answer);
			}
		}
	});

	it("is opened by no EventSource, with or without a key", async () => {
		for (const path of allPaths()) {
			for (const more of [[], [key()]]) {
				expectInert(await rig.answerTo(request(path, "Accept: text/event-stream", ...more)));
			}
		}
	});
});

describe("A6: another page of the gateway", () => {
	it.each(PAGES)("is not at %s", async (path) => {
		expectAnyRefusal(await rig.answerTo(request(path, "Accept: text/html")), 401);
		const answer = await rig.answerTo(request(path, "Accept: text/html", key()));
		expectAnyRefusal(answer, 404);
		expectInert(answer);
	});

	const payload = `<img src=x onerror="globalThis.hit=1"><script>globalThis.hit=1</script>`;

	it("is not made of names, prompts and errors that hold HTML", async () => {
		const answers = [
			await rig.ask({ ...say("hello"), model: payload }),
			await rig.ask(say(`repeat ${payload}`)),
			await rig.ask(say(`fail ${payload}`)),
			await rig.ask(say("hello", { tools: [{ type: "function", function: { name: payload } }] })),
			await rig.answerTo(rig.head("GET", `/v1/models/${encodeURIComponent(payload)}`)),
			await rig.answerTo(rig.head("GET", `/${encodeURIComponent(payload)}`)),
			await rig.answerTo(rig.head("GET", "/healthz", `X-Name: ${payload}`)),
		];
		for (const answer of answers) expectInert(answer);
	});

	it("is not what a browser makes of an answer that holds HTML", async () => {
		const extraHTTPHeaders = { authorization: `Bearer ${rig.key}` };
		const page = await (await openProfile({ extraHTTPHeaders })).newPage();
		for (const path of [`/v1/models/${encodeURIComponent(payload)}`, `/${encodeURIComponent(payload)}`, "/healthz"]) {
			const answer = await page.goto(`http://127.0.0.1:${rig.port}${path}`);
			expect(answer?.headers()["content-type"]).toBe("application/json; charset=utf-8");
			expect(await page.evaluate("globalThis.hit")).toBeUndefined();
			expect(await page.evaluate("document.scripts.length + document.images.length")).toBe(0);
		}
	});
});

describe("A7: a login by cookie or address", () => {
	const smuggled = [
		(name: string) => [`${name}?key=${rig.key}`],
		(name: string) => [`${name}?token=${rig.key}&api_key=${rig.key}&access_token=${rig.key}`],
		(name: string) => [`${name}#${rig.key}`],
		(name: string) => [name, `Cookie: key=${rig.key}; session=${rig.key}; token=${rig.key}`],
		(name: string) => [name, `Referer: http://127.0.0.1:${rig.port}/?key=${rig.key}`],
		(name: string) => [name, `Proxy-Authorization: Bearer ${rig.key}`],
		(name: string) => [name, `X-CSRF-Token: ${rig.key}`],
	];

	it("is not taken in place of a key", async () => {
		for (const attempt of smuggled) {
			const [target = "", ...lines] = attempt("/v1/models");
			expectAnyRefusal(await rig.answerTo(request(target, ...lines)), 400, 401);
			const [postTarget = "", ...postLines] = attempt(CHAT);
			const { started } = rig.emulator.stats().runs;
			const post = rig.as("").post(postTarget, say("hello"), ...postLines);
			const withoutKey = post.toString("latin1").replace(/Authorization: Bearer *\r\n/, "");
			expectAnyRefusal(await rig.answerTo(Buffer.from(withoutKey, "latin1")), 400, 401);
			expect(rig.emulator.stats().runs.started).toBe(started);
		}
	});

	it("is not given out: no answer sets a cookie or shows the key", async () => {
		for (const path of allPaths()) {
			const answer = await rig.answerTo(request(path, key()));
			expectInert(answer);
			expect(answer.body).not.toContain(rig.key);
			expect(readFileSync(join(rig.dataDir, "gateway-key"), "utf8").trim()).toBe(rig.key);
		}
	});
});
