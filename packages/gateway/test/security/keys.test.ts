// A10 and A13: every route needs a key, in the right place, and the whole of it.
import { createHash, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { KeyRing } from "../../src/access/key-ring.ts";
import { openStore } from "../../src/store/open-store.ts";
import { CHAT, expectAnyRefusal, expectRefusal, say, targetOf, useRig } from "../kit/hostile/rig.ts";

const rig = useRig();
/** They tell no more than that a gateway is here, and what its page looks like with nothing in it. */
const OPEN = [
	"GET /healthz",
	"HEAD /api/hello",
	"HEAD /",
	...["/page/page.js", "/page/page.css", "/page/icon.svg"].flatMap((path) => [`GET ${path}`, `HEAD ${path}`]),
];
/** Takes a code in place of a key; `test/page` has the tests of it. */
const EXCHANGE = "POST /page/api/session";
const BODY = JSON.stringify(say("hello"));

/** Each route with these header lines, and this behind its path. */
function requests(headers: string[] = [], behind = ""): { name: string; bytes: Buffer }[] {
	const routes = rig.gateway.routes.filter(({ method, path }) => `${method} ${path}` !== EXCHANGE);
	return routes.map(({ method, path }) => {
		const body = method === "POST" ? BODY : "";
		const target = `${targetOf(path, "composer-1")}${behind}`;
		const type = ["Content-Type: application/json", `Content-Length: ${body.length}`];
		const head = [`${method} ${target} HTTP/1.1`, `Host: 127.0.0.1:${rig.port}`, ...type, ...headers];
		return { name: `${method} ${target}`, bytes: Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`, "latin1") };
	});
}

/** Which routes are answered. Those that are not have to say why, and must have had no effect. */
async function answered(headers: string[] = [], behind = ""): Promise<string[]> {
	const { started } = rig.emulator.stats().runs;
	const open: string[] = [];
	for (const { name, bytes } of requests(headers, behind)) {
		const answer = await rig.answerTo(bytes);
		if (answer.status === 200) open.push(name);
		else if (name.startsWith("HEAD ")) expect(answer.status).toBe(401);
		else expectAnyRefusal(answer, 401);
	}
	expect(rig.emulator.stats().runs.started).toBe(started);
	return open;
}

describe("A10: without a key", () => {
	it("few routes are open", async () => {
		expect(await answered()).toEqual(OPEN);
	});

	it("all of them are there with one", async () => {
		for (const header of [`Authorization: Bearer ${rig.key}`, `X-Api-Key: ${rig.key}`]) {
			for (const { name, bytes } of requests([header])) {
				// The page has sessions instead.
				if (name.includes(" /page/api/")) continue;
				// Not each of them takes the body that all get here.
				expect([401, 403, 405], name).not.toContain((await rig.answerTo(bytes)).status);
			}
		}
	});

	const places: [string, () => [headers: string[], behind?: string]][] = [
		["a wrong one", () => [["Authorization: Bearer cw_wrong"]]],
		["a wrong one in x-api-key", () => [["X-Api-Key: cw_wrong"]]],
		["it in a cookie", () => [[`Cookie: key=${rig.key}; authorization=Bearer ${rig.key}`]]],
		["it as a password", () => [[`Authorization: Basic ${Buffer.from(`user:${rig.key}`).toString("base64")}`]]],
		["it without its scheme", () => [[`Authorization: ${rig.key}`]]],
		["it in another scheme", () => [[`Authorization: Token ${rig.key}`]]],
		["it for a proxy", () => [[`Proxy-Authorization: Bearer ${rig.key}`]]],
		["it in headers of others", () => [[`api-key: ${rig.key}`, `x-goog-api-key: ${rig.key}`, `key: ${rig.key}`]]],
		["it and another one", () => [[`Authorization: Bearer ${rig.key}`, "X-Api-Key: cw_other"]]],
		["a name for it", () => [["Authorization: Bearer default"]]],
	];

	it.each(places)("%s does not help", async (_name, make) => {
		const [headers, behind] = make();
		expect(await answered(headers, behind)).toEqual(OPEN);
	});

	it("it does not help in the address either", async () => {
		const { key } = rig;
		expect(await answered([], `?key=${key}&api_key=${key}&access_token=${key}&authorization=Bearer%20${key}`)).toEqual(
			[],
		);
	});
});

describe("A13: a key that is nearly right", () => {
	const flip = (text: string, at: number) => {
		const other = text.at(at) === "A" ? "B" : "A";
		return [...text].map((letter, index) => (index === (at + text.length) % text.length ? other : letter)).join("");
	};
	const near: [string, (key: string) => string][] = [
		["with another last letter", (key) => flip(key, -1)],
		["with another first letter", (key) => flip(key, 3)],
		["with another letter inside", (key) => flip(key, 20)],
		["without its last letter", (key) => key.slice(0, -1)],
		["without its first letters", (key) => key.slice(3)],
		["cut to twenty letters", (key) => key.slice(0, 20)],
		["with a letter more", (key) => `${key}A`],
		["twice", (key) => key + key],
		["in capitals", (key) => key.toUpperCase()],
		["in small letters", (key) => key.toLowerCase()],
		["with a capital prefix", (key) => key.replace("cw_", "CW_")],
		["in quotes", (key) => `"${key}"`],
		["with a percent code", (key) => key.replace("cw_", "cw%5f")],
		["with padding", (key) => `${key}=`],
		["with a look-alike", (key) => key.replace("cw_", "\u0441w_")],
		["with a wide letter", (key) => key.replace("cw_", "\uff43w_")],
		["with a high byte", (key) => `${key}\xa0`],
		["with a NUL code", (key) => `${key}%00`],
		["8 KB long", (key) => key.padEnd(8192, "A")],
		["as its hash", (key) => createHash("sha256").update(key).digest("hex")],
		["as base64", (key) => Buffer.from(key).toString("base64")],
	];

	it.each(near)("is none: %s", async (_name, change) => {
		const shown = change(rig.key);
		for (const header of [`Authorization: Bearer ${shown}`, `X-Api-Key: ${shown}`]) {
			const head = rig.head("GET", "/v1/models").replace(/Authorization.*\r\n/, "");
			const request = Buffer.from(head.replace("\r\n\r\n", `\r\n${header}\r\n\r\n`), "utf8");
			expect(expectRefusal(await rig.answerTo(request), 401).code).toBe("invalid_api_key");
		}
	});
});

it("a key that was revoked opens nothing any more", async () => {
	const store = await openStore({ dataDir: rig.dataDir, warn: (message) => expect.fail(message) });
	const ring = new KeyRing({ store, now: Date.now, random: randomBytes });
	const { key, record } = await ring.add("guest");
	const guest = rig.as(key);
	const status = async () => (await guest.ask(say("hello"))).status;
	// Other processes' keys are looked up once a second.
	while ((await status()) !== 200) await new Promise((resolve) => setTimeout(resolve, 100));
	await ring.revoke(record.id);
	while ((await status()) !== 401) await new Promise((resolve) => setTimeout(resolve, 100));
	expectRefusal(await guest.answerTo(guest.chat(say("hello"))), 401);
	expectRefusal(await guest.answerTo(guest.head("GET", "/v1/models")), 401);
	expect((await rig.answerTo(rig.head("GET", CHAT))).status).toBe(405);
	await store.close();
});
