// A chat page of another origin in a real browser, where its origin is allowed and where it is not.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { LED_HERE, openProfile } from "../kit/browser.ts";
import { startTestGateway } from "../kit/gateway.ts";

const SITE = "chat.test";
const OTHER = "other.test";

/** Asks as a chat page does, and tells what a page gets to see. */
const SCRIPT = `
async function chat(url, key) {
	try {
		const response = await fetch(url + "/v1/chat/completions", {
			method: "POST",
			headers: { "content-type": "application/json", authorization: "Bearer " + key, "x-stainless-lang": "js" },
			body: JSON.stringify({ model: "composer-1", stream: true, messages: [{ role: "user", content: "one two three" }] }),
		});
		const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
		let reads = 0;
		let text = "";
		for (let read = await reader.read(); !read.done; read = await reader.read()) {
			reads += 1;
			text += read.value;
		}
		const lines = text.split("\\n").filter((line) => line.startsWith("data: {"));
		const said = lines.map((line) => JSON.parse(line.slice(6)).choices?.[0]?.delta?.content ?? "").join("");
		return { status: response.status, said, streamed: reads > 1, path: response.headers.get("x-cursorwire-path") };
	} catch (error) {
		return { error: error.name };
	}
}
async function models(url, key) {
	try {
		const response = await fetch(url + "/v1/models", { headers: { authorization: "Bearer " + key } });
		return response.status;
	} catch (error) {
		return error.name;
	}
}`;

async function startSite(): Promise<number> {
	const page = `<!doctype html><meta charset="utf-8"><body><script>${SCRIPT}</script>`;
	const site = createServer((_request, response) => response.writeHead(200, { "content-type": "text/html" }).end(page));
	await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void site.close());
	return (site.address() as AddressInfo).port;
}

const start = (allowOrigins: string) =>
	startTestGateway({
		emulator: {
			async *brain(turn) {
				for (const word of turn.prompt.split(" ")) {
					yield { text: `${word} ` };
					yield { delay: 50 };
				}
			},
		},
		settings: { allowOrigins },
	});

const newPage = async () => (await openProfile({}, LED_HERE)).newPage();

describe("a page of another origin", () => {
	it("streams a chat where its origin is allowed, and no other page gets anything", async () => {
		const port = await startSite();
		const gateway = await start(`http://${SITE}:${port}`);
		const page = await newPage();
		await page.goto(`http://${SITE}:${port}/`);
		const call = (name: string, key = gateway.key) => page.evaluate(`${name}("${gateway.url}", "${key}")`);
		expect(await call("chat")).toEqual({ status: 200, said: "one two three ", streamed: true, path: "new" });
		expect(await call("models")).toBe(200);
		// An error can be read as well, and the key is asked for as ever.
		expect(await call("models", "cw_wrong")).toBe(401);
		await page.goto(`http://${OTHER}:${port}/`);
		expect(await call("chat")).toEqual({ error: "TypeError" });
		expect(await call("models")).toBe("TypeError");
		expect(gateway.emulator.stats().runs.started).toBe(1);
	});

	it("gets nothing where no origin is allowed", async () => {
		const port = await startSite();
		const gateway = await start("");
		const page = await newPage();
		await page.goto(`http://${SITE}:${port}/`);
		expect(await page.evaluate(`chat("${gateway.url}", "${gateway.key}")`)).toEqual({ error: "TypeError" });
		expect(gateway.emulator.stats().runs.started).toBe(0);
	});
});

describe("the answers to a page", () => {
	const ORIGIN = "https://chat.example";
	const corsOf = (response: Response) =>
		Object.fromEntries([...response.headers].filter(([name]) => /^(access-control|vary)/.test(name)));
	const preflight = (url: string, headers: Record<string, string>, path = "/v1/chat/completions") =>
		fetch(`${url}${path}`, {
			method: "OPTIONS",
			headers: { "access-control-request-method": "POST", ...headers },
		});

	it("name exactly its origin, and let it send and read what clients need", async () => {
		const { url } = await start(`${ORIGIN},http://localhost:3000`);
		const asked = { origin: ORIGIN, "access-control-request-headers": "authorization,content-type,x-stainless-os" };
		const allowed = await preflight(url, asked);
		expect([allowed.status, corsOf(allowed)]).toEqual([
			204,
			{
				"access-control-allow-origin": ORIGIN,
				"access-control-allow-methods": "GET, POST, DELETE",
				"access-control-allow-headers": "authorization,content-type,x-stainless-os",
				"access-control-max-age": "600",
				"access-control-expose-headers": expect.stringContaining("x-cursorwire-warnings"),
				vary: "origin",
			},
		]);
		for (const origin of ["https://chat.example.evil", "http://chat.example", "null", "https://CHAT.example", "*"]) {
			const refused = await preflight(url, { ...asked, origin });
			expect([refused.status, corsOf(refused)], origin).toEqual([403, {}]);
		}
		const local = await preflight(url, { ...asked, origin: "http://localhost:3000" });
		expect(corsOf(local)["access-control-allow-origin"]).toBe("http://localhost:3000");
	});

	it("say nothing of origins where none is allowed, nor to who is no page", async () => {
		const closed = await start("");
		const refused = await preflight(closed.url, { origin: ORIGIN });
		expect([refused.status, corsOf(refused)]).toEqual([403, {}]);
		const open = await start(ORIGIN);
		const plain = await open.fetch("/v1/models");
		expect([plain.status, corsOf(plain)]).toEqual([200, {}]);
		// OPTIONS that is no question of a browser is answered as before.
		const options = await open.fetch("/v1/models", { method: "OPTIONS" });
		expect([options.status, corsOf(options)]).toEqual([405, {}]);
	});
});
