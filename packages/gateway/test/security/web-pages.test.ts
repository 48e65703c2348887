// A1, A2, A3 and A5: what a page in the user's browser can do to the gateway, tried in a real browser. The same is tried
// on a server that guards nothing, to see that it would show.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { DIALECTS } from "../../src/routes/dialects.ts";
import { LED_HERE, openProfile } from "../kit/browser.ts";
import { until } from "../kit/cleanup.ts";
import { CHAT, say, targetOf, useRig } from "../kit/hostile/rig.ts";
import { type Attacker, startAttacker } from "./attacker.ts";

const rig = useRig();
const SITE = "evil.test";
const SCRIPT = readFileSync(new URL("./page.js", import.meta.url), "utf8");
const PAGE = `<!doctype html><meta charset="utf-8"><body><script>${SCRIPT}</script>`;

let site: Attacker;
let unguarded: Attacker;
const unguardedSaw: string[] = [];
beforeAll(async () => {
	site = await startAttacker((_request, response) => {
		response.writeHead(200, { "content-type": "text/html" }).end(PAGE);
	});
	unguarded = await startAttacker((request, response) => {
		unguardedSaw.push(`${request.method} ${request.url} ${request.headers["content-type"] ?? ""}`);
		const headers = { "access-control-allow-origin": "*", "access-control-allow-headers": "*, authorization" };
		response.writeHead(200, { ...headers, "content-type": "application/json" }).end('{"secret":"open"}');
	});
});
afterAll(() => {
	site.close();
	unguarded.close();
});

interface Answered {
	asked: string;
	status: number;
	headers: string[];
}

/** What the gateway, which shares this process, has answered since. */
function watchGateway(): Answered[] {
	const answered: Answered[] = [];
	const watch = (message: unknown) => {
		const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
		if (request.socket.localPort !== rig.port) return;
		const asked = `${request.method} ${request.headers.host}${request.url}`;
		answered.push({ asked, status: response.statusCode, headers: response.getHeaderNames() });
	};
	subscribe("http.server.response.finish", watch);
	onTestFinished(() => void unsubscribe("http.server.response.finish", watch));
	return answered;
}

async function visit(url: string): Promise<Page> {
	const page = await (await openProfile({}, LED_HERE)).newPage();
	// A page at the gateway's own port is one that was there before its name came to lead here.
	if (url.endsWith("/page")) {
		await page.route(url, (route) => route.fulfill({ contentType: "text/html", body: PAGE }));
	}
	await page.goto(url);
	return page;
}

function targetAt(base: string, paths = [...new Set(rig.gateway.routes.map(({ path }) => path))]): string {
	const body = JSON.stringify(say("hello from a page"));
	return JSON.stringify({ base, paths: paths.map((path) => targetOf(path)), key: rig.key, body });
}

/** Requests that the page makes for each path, asking for permission included. */
const ATTEMPTS = 17;

/** Node tells of no response to a handshake at a path that has WebSockets. The page tells whether one was opened. */
const WITH_SOCKETS = DIALECTS.filter(({ socket }) => socket !== undefined).flatMap(({ path }) =>
	["", "/v1", "/v1/v1"].map((base) => `${base}${path}`),
);

function expectedAnswers(): number {
	const paths = new Set(rig.gateway.routes.map(({ path }) => path));
	return paths.size * ATTEMPTS - WITH_SOCKETS.filter((path) => paths.has(path)).length;
}

/** Nothing was done, nothing was told, and no door was opened. */
async function expectHarmless(page: Page, base: string): Promise<void> {
	const effects = () => JSON.stringify([rig.emulator.stats().runs, rig.emulator.stats().rpcs, rig.turns.length]);
	const before = effects();
	const answered = watchGateway();
	// A page under the gateway's name and port may read what it is told, and that is that it is not served.
	const read = (await page.evaluate(`attack(${targetAt(base)})`)) as string[];
	expect(read.filter((text) => new URL(page.url()).origin !== base || !text.startsWith("403 "))).toEqual([]);
	await page.evaluate(`sendForms(${targetAt(base)})`);
	// It is no wall of the browser's that is tested here: all of this does arrive.
	await until(() => answered.length >= expectedAnswers());
	for (const { asked, status, headers } of answered) {
		expect(status, asked).toBe(403);
		expect(headers.filter((name) => name.startsWith("access-control"))).toEqual([]);
	}
	expect(effects()).toBe(before);
}

describe("A1, A2, A3, A5: a page", () => {
	it("of another site gets nothing and does nothing, where an open server would tell all", async () => {
		const page = await visit(`http://${SITE}:${site.port}/`);
		const read = await page.evaluate(`attack(${targetAt(`http://127.0.0.1:${unguarded.port}`, [CHAT])})`);
		expect(read).toContain('200 {"secret":"open"}');
		expect(unguardedSaw).toContain(`POST ${CHAT} text/plain`);
		for (const name of ["127.0.0.1", "localhost"]) {
			await expectHarmless(await visit(`http://${SITE}:${site.port}/`), `http://${name}:${rig.port}`);
		}
	});

	it("whose name was made to lead here gets nothing", async () => {
		const rebound = `http://${SITE}:${rig.port}`;
		await expectHarmless(await visit(`${rebound}/page`), rebound);
	});

	it("of another server on this machine gets nothing", async () => {
		await expectHarmless(await visit(`http://127.0.0.1:${site.port}/`), `http://127.0.0.1:${rig.port}`);
		// A person who types the address sees whether the gateway lives, and nothing more.
		const page = await visit(`http://127.0.0.1:${rig.port}/healthz`);
		expect(JSON.parse((await page.textContent("body"))!)).toMatchObject({ status: "ok" });
		expect((await page.goto(`http://127.0.0.1:${rig.port}/v1/models`))?.status()).toBe(401);
	});
});
