import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GatewayError } from "../turn/error.ts";
import { allowedHosts, checkRequest, isPublic, presentedKey } from "./guard.ts";

const HOSTS = allowedHosts(4280);

type HeaderMap = Record<string, string | string[] | undefined>;

function raw(headers: HeaderMap): string[] {
	return Object.entries(headers).flatMap(([name, value]) =>
		[value].flat().flatMap((one) => (one === undefined ? [] : [name, one])),
	);
}

function check(headers: HeaderMap = {}, { method = "POST", target = "/v1/chat/completions" } = {}): string | undefined {
	const all = { Host: "localhost:4280", "Content-Type": "application/json", ...headers };
	return checkRequest({ method, target, rawHeaders: raw(all), allowedHosts: HOSTS })?.kind;
}

describe("Host", () => {
	it("is one of three, with the port", () => {
		expect([...HOSTS]).toEqual(["127.0.0.1:4280", "localhost:4280", "[::1]:4280"]);
		for (const Host of HOSTS) expect(check({ Host })).toBeUndefined();
	});

	it("may leave out the port where that is 80", () => {
		expect([...allowedHosts(80)]).toContain("localhost");
		expect([...allowedHosts(80)]).toContain("[::1]:80");
		expect([...allowedHosts(8080)]).not.toContain("localhost");
	});

	it("may be a name that other machines use, where one is given", () => {
		const hosts = allowedHosts(4280, ["gateway.lan", "fd00::5"]);
		expect([...hosts].slice(3)).toEqual(["gateway.lan:4280", "[fd00::5]:4280"]);
	});

	it.each([
		"evil.test",
		"evil.test:4280",
		"localhost",
		"127.0.0.1",
		"[::1]",
		"localhost:4281",
		"localhost:04280",
		"localhost:+4280",
		"localhost:4280:4280",
		"localhost:4280 ",
		" localhost:4280",
		"localhost :4280",
		"localhost: 4280",
		"localhost:",
		"localhost.:4280",
		"localhost.evil.test:4280",
		"evil.localhost:4280",
		"LOCALHOST:4280",
		"LocalHost:4280",
		"127.1:4280",
		"127.0.0.1.:4280",
		"127.0.0.01:4280",
		"127.0.0.2:4280",
		"0.0.0.0:4280",
		"0:4280",
		"2130706433:4280",
		"0x7f000001:4280",
		"0177.0.0.1:4280",
		"::1:4280",
		"[::1%lo]:4280",
		"[0:0:0:0:0:0:0:1]:4280",
		"[::ffff:127.0.0.1]:4280",
		"[::]:4280",
		"user@localhost:4280",
		"localhost:4280@evil.test",
		"localhost:4280/",
		"localhost:4280/@evil.test",
		"localhost:4280#",
		"localhost:4280?",
		"localhost:4280\\evil.test",
		"localhost%00:4280",
		"localhost:4280\0",
		"localhost:4280,evil.test",
		"http://localhost:4280",
		"ｌｏｃａｌｈｏｓｔ:4280",
		"loc\u00adalhost:4280",
		"localho\u017ft:4280",
		"①27.0.0.1:4280",
		"127。0。0。1:4280",
		"127.0.0.1:４２８０",
		"__proto__",
		"constructor",
		"",
	])("is refused as %j", (Host) => {
		expect(check({ Host })).toBe("forbidden");
	});

	it("is refused where it is missing", () => {
		expect(check({ Host: undefined })).toBe("invalid-request");
	});

	it("is refused twice, in any spelling of its name, also where both are right", () => {
		expect(check({ Host: ["localhost:4280", "localhost:4280"] })).toBe("invalid-request");
		expect(check({ Host: "localhost:4280", host: "evil.test" })).toBe("invalid-request");
		expect(check({ HOST: "evil.test", Host: "localhost:4280" })).toBe("invalid-request");
	});

	it("is refused unless it is exactly one of the list, whatever it is", () => {
		const near = fc
			.tuple(fc.constantFrom(...HOSTS), fc.nat(20), fc.string({ maxLength: 3, unit: "binary" }), fc.boolean())
			.map(([host, at, extra, replace]) => host.slice(0, at) + extra + host.slice(replace ? at + extra.length : at));
		fc.assert(
			fc.property(fc.oneof(near, fc.string(), fc.domain(), fc.ipV4Extended(), fc.ipV6()), (Host) => {
				expect(check({ Host })).toBe(HOSTS.has(Host) ? undefined : "forbidden");
			}),
			{ numRuns: 400 },
		);
	});

	it("is not believed from other headers", () => {
		const claims = {
			"X-Forwarded-Host": "localhost:4280",
			Forwarded: "host=localhost:4280",
			"X-Forwarded-For": "127.0.0.1",
		};
		expect(check({ ...claims, Host: "evil.test" })).toBe("forbidden");
		expect(check({ "X-Forwarded-Host": "evil.test" })).toBeUndefined();
	});
});

describe("the target", () => {
	it.each([
		"http://localhost:4280/v1/models",
		"http://evil.test/",
		"HTTP://x",
		"*",
		"localhost:4280",
		"",
		"v1/models",
		"\\v1",
	])("is refused as %j", (target) => {
		expect(check({}, { method: "GET", target })).toBe("forbidden");
	});

	it("does not change what is asked of the rest", () => {
		fc.assert(
			fc.property(
				fc.string(),
				fc.constantFrom("GET", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PROPFIND"),
				(path, method) => {
					expect(check({ Host: "evil.test" }, { method, target: `/${path}` })).toBe("forbidden");
					expect(check({ Origin: "http://evil.test" }, { method, target: `/${path}` })).toBe("forbidden");
				},
			),
		);
	});

	it("is public in one spelling only", () => {
		expect(isPublic({ method: "GET", target: "/healthz" })).toBe(true);
		for (const target of [
			"/healthz/",
			"//healthz",
			"/HEALTHZ",
			"/%68ealthz",
			"/healthz?x",
			"/healthz;x",
			"/./healthz",
			"/healthz.",
		]) {
			expect(isPublic({ method: "GET", target })).toBe(false);
		}
		for (const method of ["POST", "HEAD", "get", "OPTIONS"])
			expect(isPublic({ method, target: "/healthz" })).toBe(false);
	});
});

describe("a browser", () => {
	it("may come from our own page", () => {
		const own = { Origin: "http://localhost:4280", "Sec-Fetch-Site": "same-origin" };
		expect(check(own)).toBeUndefined();
		expect(check({ "Sec-Fetch-Site": "none" }, { method: "GET" })).toBeUndefined();
	});

	it.each([
		"null",
		"",
		"*",
		"http://evil.test",
		"https://localhost:4280",
		"http://localhost:4281",
		"http://localhost",
		"http://127.0.0.1:4280",
		"http://localhost:4280/",
		"http://localhost:4280.evil.test",
		"HTTP://localhost:4280",
		"file://",
		"chrome-extension://abcdef",
		"vscode-webview://abc",
		"http://localhost:4280, http://evil.test",
	])("may not come from %j", (Origin) => {
		expect(check({ Origin })).toBe("forbidden");
		expect(check({ Origin }, { method: "GET" })).toBe("forbidden");
		expect(check({ Origin, "Access-Control-Request-Method": "POST" }, { method: "OPTIONS" })).toBe("forbidden");
	});

	it.each(["cross-site", "same-site", "", "none, same-origin", "NONE", "other"])("may not name its site %j", (site) => {
		expect(check({ "Sec-Fetch-Site": site })).toBe("forbidden");
		expect(check({ "Sec-Fetch-Site": site }, { method: "GET" })).toBe("forbidden");
	});

	it("may not send any of it twice", () => {
		expect(check({ Origin: ["http://localhost:4280", "http://localhost:4280"] })).toBe("invalid-request");
		expect(check({ "Sec-Fetch-Site": ["none", "cross-site"] })).toBe("invalid-request");
	});
});

describe("a body", () => {
	it.each([
		"application/json",
		"Application/JSON",
		"application/json; charset=utf-8",
		'application/json;charset="UTF-8"',
	])("is JSON as %j", (type) => {
		expect(check({ "Content-Type": type })).toBeUndefined();
	});

	it.each([
		undefined,
		"",
		"text/plain",
		"text/plain; application/json",
		"text/plain;application/json",
		"application/json, text/plain",
		"application/x-www-form-urlencoded",
		"multipart/form-data; boundary=application/json",
		"application/jsonp",
		"application/json-seq",
		"application/problem+json",
		"application/json; charset=utf-16",
		"application /json",
		";application/json",
	])("is not JSON as %j", (type) => {
		for (const method of ["POST", "PUT", "PATCH", "post", "FOO"]) {
			expect(check({ "Content-Type": type }, { method })).toBe("unsupported-media");
		}
	});

	it("needs no type where there is none", () => {
		for (const method of ["GET", "HEAD", "DELETE", "OPTIONS"]) {
			expect(check({ "Content-Type": undefined }, { method })).toBeUndefined();
		}
	});

	it("comes as it is", () => {
		expect(check({ "Content-Encoding": "identity" })).toBeUndefined();
		expect(check({ "Transfer-Encoding": "Chunked" })).toBeUndefined();
		for (const coding of ["gzip", "br", "deflate", "zstd", "identity, gzip", ""]) {
			expect(check({ "Content-Encoding": coding })).toBe("unsupported-media");
		}
		for (const coding of ["gzip, chunked", "chunked, chunked", "identity", "xchunked", ""]) {
			expect(check({ "Transfer-Encoding": coding })).toBe("unsupported-media");
		}
	});

	it("has one length and one type", () => {
		expect(check({ "Content-Length": "5", "Transfer-Encoding": "chunked" })).toBe("invalid-request");
		expect(check({ "Content-Length": ["5", "5"] })).toBe("invalid-request");
		expect(check({ "Content-Type": ["text/plain", "application/json"] })).toBe("invalid-request");
	});
});

describe("the key that is shown", () => {
	const shown = (headers: HeaderMap) => presentedKey(raw(headers));
	const isRefused = (headers: HeaderMap) => {
		const result = shown(headers);
		return result instanceof GatewayError && result.kind === "bad-key";
	};

	it("is a bearer token or an x-api-key, or both alike", () => {
		expect(shown({ Authorization: "Bearer cw_abc" })).toBe("cw_abc");
		expect(shown({ authorization: "bearer  cw_abc" })).toBe("cw_abc");
		expect(shown({ "X-API-Key": "cw_abc" })).toBe("cw_abc");
		expect(shown({ Authorization: "Bearer cw_abc", "x-api-key": "cw_abc" })).toBe("cw_abc");
		expect(shown({ Authorization: "Bearer", "x-api-key": "cw_abc" })).toBe("cw_abc");
		expect(shown({})).toBeUndefined();
		expect(shown({ Authorization: "", "x-api-key": "" })).toBeUndefined();
	});

	it("is refused where there are two", () => {
		expect(isRefused({ Authorization: "Bearer one", "x-api-key": "two" })).toBe(true);
		expect(isRefused({ Authorization: ["Bearer one", "Bearer one"] })).toBe(true);
		expect(isRefused({ "x-api-key": ["one", "two"] })).toBe(true);
		expect(isRefused({ Host: ["a", "b"], "x-api-key": ["one", "two"] })).toBe(true);
	});

	it.each([
		"Basic dXNlcjpwYXNz",
		"Bearer one two",
		"Bearercw_abc",
		"Bearer cw_äbc",
		"Bearer cw_abc\0",
		`Bearer ${"x".repeat(8193)}`,
		"Token cw_abc",
		"cw_abc",
	])("is refused as %j", (Authorization) => {
		expect(isRefused({ Authorization })).toBe(true);
	});

	it("passes quotes and SQL through as the text they are", () => {
		for (const text of [`'or'1'='1`, `"x"`, "x';drop/**/table/**/keys--"]) {
			expect(shown({ "x-api-key": text })).toBe(text);
		}
	});

	it("is a string, an error or nothing, whatever comes", () => {
		fc.assert(
			fc.property(
				fc.array(fc.tuple(fc.constantFrom("authorization", "X-Api-Key", "__proto__", "constructor"), fc.string())),
				(pairs) => {
					const key = presentedKey(pairs.flat());
					if (typeof key === "string") expect(pairs.some(([, value]) => value.includes(key))).toBe(true);
					else expect(key === undefined || key.kind === "bad-key").toBe(true);
				},
			),
		);
		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
	});
});

describe("an allowed origin", () => {
	const allowedOrigins = new Set(["https://chat.example"]);
	const verdict = (headers: HeaderMap) => {
		const all = { Host: "localhost:4280", "Content-Type": "application/json", ...headers };
		const head = { method: "POST", target: "/v1/chat/completions", rawHeaders: raw(all), allowedHosts: HOSTS };
		return checkRequest({ ...head, allowedOrigins })?.kind;
	};

	it("may ask from another site, and nobody else may", () => {
		expect(verdict({ Origin: "https://chat.example", "Sec-Fetch-Site": "cross-site" })).toBeUndefined();
		expect(verdict({ Origin: "https://chat.example" })).toBeUndefined();
		expect(verdict({ Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" })).toBe("forbidden");
		expect(verdict({ "Sec-Fetch-Site": "cross-site" })).toBe("forbidden");
	});

	it("opens no other door", () => {
		expect(verdict({ Origin: "https://chat.example", Host: "evil.test:4280" })).toBe("forbidden");
		expect(verdict({ Origin: ["https://chat.example", "https://chat.example"] })).toBe("invalid-request");
		expect(verdict({ Origin: "https://chat.example", "Content-Type": "text/plain" })).toBe("unsupported-media");
	});
});
