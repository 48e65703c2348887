// B15: every route by every method and in every spelling. What a plain path may not do, no other spelling may.
import { METHODS } from "node:http";
import { describe, expect, it } from "vitest";
import { expectAnyRefusal, expectRefusal, targetOf, useRig } from "../kit/hostile/rig.ts";

const rig = useRig();

/** Spellings of one path: some mean the same to one program and something else to the next. */
const SPELLINGS: [string, (path: string) => string][] = [
	["plain", (path) => path],
	["with a query", (path) => `${path}?key=x`],
	["with an empty query", (path) => `${path}?`],
	["with a fragment", (path) => `${path}#x`],
	["with a slash at the end", (path) => `${path}/`],
	["with two slashes in front", (path) => `/${path}`],
	["with two slashes inside", (path) => path.replace(/(.)\//, "$1//")],
	["with a letter encoded", (path) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)],
	["with all letters encoded", (path) => path.replace(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)],
	["with slashes encoded", (path) => `/${path.slice(1).replaceAll("/", "%2f")}`],
	["with a dot", (path) => `/.${path}`],
	["with two dots", (path) => `/x/..${path}`],
	["with two encoded dots", (path) => `/x/%2e%2e${path}`],
	["below something public", (path) => `/healthz/..${path}`],
	["below something public, encoded", (path) => `/healthz%2f..${path}`],
	["with a dot at the end", (path) => `${path}.`],
	["with parameters", (path) => `${path};a=b`],
	["in capitals", (path) => path.toUpperCase()],
	["with a blank", (path) => `${path}%20`],
	["with a NUL", (path) => `${path}%00`],
	["with a broken code", (path) => `${path}%`],
	["with a broken code in front", (path) => `/%zz${path}`],
	["with half a character", (path) => `${path}%c3`],
	["with a backslash", (path) => `/\\x${path}`],
	["longer than any", (path) => `${path}/${"x".repeat(8000)}`],
];
/** CONNECT asks for a tunnel, and has no path. */
const ALL_METHODS = METHODS.filter((method) => method !== "CONNECT");
const SOME_METHODS = ["GET", "HEAD", "POST", "OPTIONS"];

interface Sent {
	method: string;
	target: string;
	status: number;
}

/** Plain paths by all methods, other spellings by those that matter. */
function* requests(): Generator<Omit<Sent, "status">> {
	for (const path of new Set(rig.gateway.routes.map((route) => targetOf(route.path)))) {
		for (const [name, spell] of SPELLINGS) {
			for (const method of name === "plain" ? ALL_METHODS : SOME_METHODS) yield { method, target: spell(path) };
		}
	}
}

/** Sends them all with these header lines, and judges each answer. */
async function walk(lines: string[], judge: (sent: Sent) => void): Promise<void> {
	let client = await rig.open();
	for (const { method, target } of requests()) {
		if (client.ended) client = await rig.open();
		const head = [`${method} ${target} HTTP/1.1`, "Content-Type: application/json", "Content-Length: 2", ...lines];
		client.send(`${head.join("\r\n")}\r\n\r\n{}`);
		const response = await client.response(method);
		if (response.status >= 400 && method !== "HEAD") expectAnyRefusal(response, response.status);
		judge({ method, target, status: response.status });
	}
	client.close();
}

const OPEN = ["GET /healthz", "HEAD /api/hello", "HEAD /"].concat(
	["GET", "HEAD"].flatMap((method) => ["page.js", "page.css", "icon.svg"].map((name) => `${method} /page/${name}`)),
);
const isOpen = ({ method, target }: Sent) => OPEN.includes(`${method} ${target}`);
/** Takes a code in place of a key, and gets none here. */
const isExchange = ({ method, target }: Sent) => `${method} ${target}` === "POST /page/api/session";
/** What only a session opens, in whatever spelling. */
const isForSession = ({ target }: Sent) =>
	target
		.replace(/%([2-7][\da-f])/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
		.startsWith("/page/api/");
const told = ({ method, target }: Sent) => `${method} ${target.slice(0, 100)}`;

describe("B15: every route, by every method and in every spelling", () => {
	it("needs a key, with few exceptions", async () => {
		await walk([`Host: 127.0.0.1:${rig.port}`], (sent) => {
			expect(sent.status, told(sent)).toBe(isOpen(sent) ? 200 : isExchange(sent) ? 400 : 401);
		});
	});

	it("needs the right Host", async () => {
		await walk(["Host: evil.test", `Authorization: Bearer ${rig.key}`], (sent) => {
			expect(sent.status, told(sent)).toBe(403);
		});
	});

	it("is for no page", async () => {
		const lines = [`Host: 127.0.0.1:${rig.port}`, `Authorization: Bearer ${rig.key}`, "Origin: http://evil.test"];
		await walk(lines, (sent) => expect(sent.status, told(sent)).toBe(403));
	});

	it("is answered or refused with a key, and never a mistake", async () => {
		const plain = new Set(rig.gateway.routes.map(({ method, path }) => `${method} ${targetOf(path)}`));
		await walk([`Host: 127.0.0.1:${rig.port}`, `Authorization: Bearer ${rig.key}`], (sent) => {
			const statuses = [200, 400, 404, 405, 426, ...(isForSession(sent) ? [401] : [])];
			expect(statuses, told(sent)).toContain(sent.status);
			if (plain.has(`${sent.method} ${sent.target}`)) expect(sent.status, told(sent)).not.toBe(405);
		});
	});
});

describe("B15: a target that is no path", () => {
	it.each([
		"*",
		"http://127.0.0.1/v1/models",
		"//evil.test/v1/models",
		"evil.test:80",
		"?",
		"#",
		"%2fv1%2fmodels",
		"\\v1\\models",
	])("is refused: %s", async (target) => {
		const answer = await rig.refusalOf(rig.head("GET", target));
		if (answer) expectRefusal(answer, 400, 403, 404);
	});

	it("is no tunnel", async () => {
		expect(await rig.refusalOf(rig.head("CONNECT", "evil.test:443"))).toBeUndefined();
	});
});
