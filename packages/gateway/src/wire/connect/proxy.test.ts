import { describe, expect, it } from "vitest";
import { chooseProxy } from "./proxy.ts";

const PROXY = "http://proxy.test:3128";

function isDirect(origin: string, noProxy: string): boolean {
	return chooseProxy(new URL(origin), { httpsProxy: PROXY, httpProxy: PROXY, noProxy }) === undefined;
}

describe("chooseProxy", () => {
	it("takes the proxy of the origin's scheme", () => {
		const settings = { httpsProxy: "http://secure.test:1", httpProxy: "http://plain.test:2" };
		expect(chooseProxy(new URL("https://api.test"), settings)?.host).toBe("secure.test:1");
		expect(chooseProxy(new URL("http://api.test"), settings)?.host).toBe("plain.test:2");
		expect(chooseProxy(new URL("https://api.test"), { httpProxy: PROXY })).toBeUndefined();
		expect(chooseProxy(new URL("https://api.test"), { httpsProxy: " " })).toBeUndefined();
		expect(chooseProxy(new URL("https://api.test"), {})).toBeUndefined();
	});

	it("reads a proxy without a scheme as an HTTP proxy", () => {
		expect(chooseProxy(new URL("https://api.test"), { httpsProxy: "proxy.test:3128" })?.href).toBe(`${PROXY}/`);
		expect(chooseProxy(new URL("https://api.test"), { httpsProxy: "me:pw@proxy.test:3128" })?.username).toBe("me");
	});

	it.each(["socks5://proxy.test:1080", "ftp://me:pw@proxy.test", "http://a b"])(
		"refuses the proxy %j without repeating it",
		(proxy) => {
			const choose = () => chooseProxy(new URL("https://api.test"), { httpsProxy: proxy });
			expect(choose).toThrow(expect.objectContaining({ code: "bad-proxy-url" }));
			expect(choose).not.toThrow(proxy);
		},
	);

	it.each(["http://localhost:1", "https://127.0.0.1", "https://127.8.9.1", "http://[::1]:1", "http://a.localhost"])(
		"always reaches loopback directly: %s",
		(origin) => {
			expect(isDirect(origin, "")).toBe(true);
		},
	);

	it.each([
		["*", "https://api.test", true],
		["", "https://api.test", false],
		[" , ,", "https://api.test", false],
		["api.test", "https://api.test", true],
		["api.test", "https://v2.api.test", true],
		["api.test", "https://myapi.test", false],
		["api.test", "https://api.test.example", false],
		[".api.test", "https://v2.api.test", true],
		[".api.test", "https://api.test", true],
		["*.api.test", "https://v2.api.test", true],
		["API.Test", "https://api.test", true],
		["other.test, api.test", "https://api.test", true],
		["other.test api.test", "https://api.test", true],
		["api.test:443", "https://api.test", true],
		["api.test:8443", "https://api.test", false],
		["api.test:8443", "https://api.test:8443", true],
		["api.test:80", "http://api.test", true],
		[".test:8443", "https://api.test:8443", true],
		["10.0.0.5", "https://10.0.0.5", true],
		["10.0.0.5", "https://10.0.0.50", false],
		["10.0.0.5:443", "https://10.0.0.5", true],
		["10.0.0.0/8", "https://10.200.3.4", true],
		["10.0.0.0/8", "https://11.0.0.1", false],
		["10.0.0.0/8", "https://ten.test", false],
		["10.0.0.0/99", "https://10.0.0.1", false],
		["10.0.0.0/", "https://10.0.0.1", false],
		["fd00::1", "https://[fd00::1]", true],
		["fd00:0::1", "https://[fd00::1]", true],
		["[fd00::1]", "https://[fd00::1]", true],
		["[fd00::1]:8443", "https://[fd00::1]", false],
		["[fd00::1]:8443", "https://[fd00::1]:8443", true],
		["fd00::/8", "https://[fd12::1]", true],
		["fd00::/8", "https://[fe80::1]", false],
		["fd00::/8", "https://10.0.0.1", false],
		["5", "https://10.0.0.5", false],
	])("NO_PROXY %j and %s: direct is %s", (noProxy, origin, expected) => {
		expect(isDirect(origin, noProxy)).toBe(expected);
	});
});
