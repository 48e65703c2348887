// There is no page to attack: whatever a page would need, or could be made to show, is refused or inert.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openBrowser } from "../kit/browser.ts";
import type { RawResponse } from "../kit/hostile/raw-client.ts";
import { CHAT, expectAnyRefusal, say, targetOf, useBench } from "../kit/hostile/rig.ts";

const bench = useBench();

/** Where a page, its parts, its streams or its login would be. */
const PAGES = [
	"/",
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
	"/metrics",
	"/assets/app.js",
	"/static/app.css",
	"/favicon.ico",
	"/robots.txt",
	"/manifest.json",
	"/service-worker.js",
];
const allPaths = () => [...new Set([...PAGES, ...bench.gateway.routes.map(({ path }) => targetOf(path))])];
const request = (target: string, ...lines: string[]) =>
	`${[`GET ${target} HTTP/1.1`, `Host: 127.0.0.1:${bench.port}`, ...lines].join("\r\n")}\r\n\r\n`;
const key = () => `Authorization: Bearer ${bench.key}`;

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

	it("is opened by no WebSocket, with or without a key", async () => {
		for (const path of allPaths()) {
			for (const more of [[], [key()], [key(), `Origin: http://127.0.0.1:${bench.port}`]]) {
				const answer = await bench.answerTo(request(path, ...upgrade, ...more));
				expect(answer.status, path).not.toBe(101);
				expectInert(answer);
			}
		}
	});

	it("is opened by no EventSource, with or without a key", async () => {
		for (const path of allPaths()) {
			for (const more of [[], [key()]]) {
				expectInert(await bench.answerTo(request(path, "Accept: text/event-stream", ...more)));
			}
		}
	});
});

describe("A6: a page of the gateway", () => {
	it.each(PAGES)("is not at %s", async (path) => {
		expectAnyRefusal(await bench.answerTo(request(path, "Accept: text/html")), 401);
		const answer = await bench.answerTo(request(path, "Accept: text/html", key()));
		expectAnyRefusal(answer, 404);
		expectInert(answer);
	});

	const payload = `<img src=x onerror="globalThis.hit=1"><script>globalThis.hit=1</script>`;

	it("is not made of names, prompts and errors that hold HTML", async () => {
		const answers = [
			await bench.ask({ ...say("hello"), model: payload }),
			await bench.ask(say(`repeat ${payload}`)),
			await bench.ask(say(`fail ${payload}`)),
			await bench.ask(say("hello", { tools: [{ type: "function", function: { name: payload } }] })),
			await bench.answerTo(bench.head("GET", `/v1/models/${encodeURIComponent(payload)}`)),
			await bench.answerTo(bench.head("GET", `/${encodeURIComponent(payload)}`)),
			await bench.answerTo(bench.head("GET", "/healthz", `X-Name: ${payload}`)),
		];
		for (const answer of answers) expectInert(answer);
	});

	it("is not what a browser makes of an answer that holds HTML", async () => {
		const browser = await openBrowser([]);
		const page = await (
			await browser.newContext({ extraHTTPHeaders: { authorization: `Bearer ${bench.key}` } })
		).newPage();
		for (const path of [`/v1/models/${encodeURIComponent(payload)}`, `/${encodeURIComponent(payload)}`, "/healthz"]) {
			const answer = await page.goto(`http://127.0.0.1:${bench.port}${path}`);
			expect(answer?.headers()["content-type"]).toBe("application/json; charset=utf-8");
			expect(await page.evaluate("globalThis.hit")).toBeUndefined();
			expect(await page.evaluate("document.scripts.length + document.images.length")).toBe(0);
		}
	});
});

describe("A7: a login by cookie or address", () => {
	const smuggled = [
		(name: string) => [`${name}?key=${bench.key}`],
		(name: string) => [`${name}?token=${bench.key}&api_key=${bench.key}&access_token=${bench.key}`],
		(name: string) => [`${name}#${bench.key}`],
		(name: string) => [name, `Cookie: key=${bench.key}; session=${bench.key}; token=${bench.key}`],
		(name: string) => [name, `Referer: http://127.0.0.1:${bench.port}/?key=${bench.key}`],
		(name: string) => [name, `Proxy-Authorization: Bearer ${bench.key}`],
		(name: string) => [name, `X-CSRF-Token: ${bench.key}`],
	];

	it("is not taken in place of a key", async () => {
		for (const attempt of smuggled) {
			const [target = "", ...lines] = attempt("/v1/models");
			expectAnyRefusal(await bench.answerTo(request(target, ...lines)), 400, 401);
			const [postTarget = "", ...postLines] = attempt(CHAT);
			const { started } = bench.emulator.stats().runs;
			const post = bench.as("").post(postTarget, say("hello"), ...postLines);
			const withoutKey = post.toString("latin1").replace(/Authorization: Bearer *\r\n/, "");
			expectAnyRefusal(await bench.answerTo(Buffer.from(withoutKey, "latin1")), 400, 401);
			expect(bench.emulator.stats().runs.started).toBe(started);
		}
	});

	it("is not given out: no answer sets a cookie or shows the key", async () => {
		for (const path of allPaths()) {
			const answer = await bench.answerTo(request(path, key()));
			expectInert(answer);
			expect(answer.body).not.toContain(bench.key);
			expect(readFileSync(join(bench.dataDir, "gateway-key"), "utf8").trim()).toBe(bench.key);
		}
	});
});
