// The files of the page, and what programs get that look at `/` and are no browsers.
import { request } from "node:http";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";

const POLICY =
	"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'";
const HTML = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const FILES = [
	["/", "text/html; charset=utf-8"],
	["/page/page.js", "text/javascript; charset=utf-8"],
	["/page/page.css", "text/css; charset=utf-8"],
	["/page/icon.svg", "image/svg+xml"],
] as const;

interface Answer {
	status: number;
	headers: Record<string, string | undefined>;
	body: Buffer;
}

/** Without the conveniences of `fetch`, which unpacks bodies and sets headers of its own. */
function get(
	{ url }: TestGateway,
	path: string,
	headers: Record<string, string> = {},
	method = "GET",
): Promise<Answer> {
	return new Promise((resolve, reject) => {
		const sent = request(`${url}${path}`, { method, headers }, async (response) => {
			const pieces: Buffer[] = [];
			for await (const piece of response) pieces.push(piece);
			const { statusCode = 0, headers: told } = response;
			resolve({ status: statusCode, headers: told as Answer["headers"], body: Buffer.concat(pieces) });
		});
		sent.on("error", reject);
		sent.end();
	});
}

it("are there for anyone, with headers that let the page load nothing else", async () => {
	const rig = await startTestGateway();
	for (const [path, type] of FILES) {
		const { status, headers, body } = await get(rig, path, HTML);
		expect(status, path).toBe(200);
		expect(headers).toMatchObject({
			"content-type": type,
			"content-security-policy": POLICY,
			"x-content-type-options": "nosniff",
			"referrer-policy": "no-referrer",
			"cache-control": "no-cache",
			vary: "accept-encoding",
		});
		expect(headers["content-encoding"]).toBeUndefined();
		expect(body.length).toBe(Number(headers["content-length"]));
		expect(Object.keys(headers)).not.toContain("set-cookie");
		const zipped = await get(rig, path, { ...HTML, "accept-encoding": "gzip, deflate, br" });
		expect(zipped.headers["content-encoding"]).toBe("gzip");
		expect(gunzipSync(zipped.body).equals(body)).toBe(true);
		expect((await get(rig, path, { ...HTML, "accept-encoding": "gzip;q=0, br" })).body.equals(body)).toBe(true);
		const head = await get(rig, path, HTML, "HEAD");
		expect([head.status, head.body.length, head.headers["content-length"]]).toEqual([200, 0, String(body.length)]);
		const again = await get(rig, path, { ...HTML, "if-none-match": `"other", ${headers.etag}` });
		expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
	}
	expect((await get(rig, "/", HTML)).body.toString()).toMatch(/<script[^>]* src="\/?page\/page\.js"/);
});

it.each([
	["another Host", { host: "evil.test" }],
	["another origin", { origin: "http://evil.test" }],
	["a page of another site", { "sec-fetch-site": "cross-site" }],
])("are nothing to %s", async (_name, headers) => {
	const rig = await startTestGateway();
	for (const [path] of FILES) expect((await get(rig, path, { ...HTML, ...headers })).status).toBe(403);
	expect((await get(rig, "/page/api/live", headers)).status).toBe(403);
});

it("leave programs that look at / what they got before there was a page", async () => {
	const rig = await startTestGateway();
	const key = { authorization: `Bearer ${rig.key}` };
	for (const method of ["GET", "POST", "DELETE"]) {
		for (const accept of ["*/*", "application/json"]) {
			const headers = { accept, "content-type": "application/json" };
			expect((await get(rig, "/", headers, method)).status, method).toBe(401);
		}
	}
	for (const method of ["GET", "DELETE"]) expect((await get(rig, "/", key, method)).status, method).toBe(404);
	expect((await rig.post("/", {})).status).toBe(404);
	// Claude Code asks this at its start. A refusal would be a warning in the log every time.
	expect((await get(rig, "/", { accept: "*/*" }, "HEAD")).status).toBe(200);
});

const IS_THERE = (settings: TestGateway["gateway"]) => settings.pageUrl() !== undefined;

it("are not served when the page is switched off", async () => {
	const rig = await startTestGateway({ settings: { page: false } });
	for (const [path] of FILES) expect((await get(rig, path, HTML)).status).toBe(401);
	expect((await get(rig, "/page/api/live", { authorization: `Bearer ${rig.key}` })).status).toBe(404);
	expect(IS_THERE(rig.gateway)).toBe(false);
	const refused = await rig.post("/v1/cursorwire/page-code", {});
	expect(refused.status).toBe(404);
	expect(await refused.text()).toContain("This gateway serves no page.");
});

it("are served to other machines only where that is wanted", async () => {
	const open = { host: "0.0.0.0", allowRemote: true };
	const closed = await startTestGateway({ settings: open });
	expect(IS_THERE(closed.gateway)).toBe(false);
	const reachable = await startTestGateway({ settings: { ...open, pageRemote: true } });
	expect(reachable.gateway.pageUrl()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#[\w-]{43}$/);
	const local = await startTestGateway({ settings: { pageRemote: true } });
	expect(IS_THERE(local.gateway)).toBe(true);
});
