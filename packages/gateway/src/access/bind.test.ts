import { describe, expect, it } from "vitest";
import { isLoopback, refusalToListen } from "./bind.ts";

const listen = (host: string, changes: Partial<Parameters<typeof refusalToListen>[0]> = {}) =>
	refusalToListen({ host, allowRemote: false, noAuth: false, hasKey: true, ...changes });

const LOCAL = ["127.0.0.1", "::1", "localhost", "127.0.0.2", "127.255.255.255"];
const REACHABLE = [
	"0.0.0.0",
	"::",
	"",
	"192.168.1.5",
	"10.0.0.1",
	"::ffff:127.0.0.1",
	"fe80::1",
	"gateway.lan",
	"localhost.",
	"localhost.evil.test",
	"127.0.0.1.evil.test",
	"127.1",
	"127.0.0.256",
	"127.0.0.1 ",
	"127.0.0.1\n0.0.0.0",
	"0127.0.0.1",
	"128.0.0.1",
	"2130706433",
	"LOCALHOST",
];

describe("an address of this machine only", () => {
	it.each(LOCAL)("%s may be listened on, without keys if noAuth is set", (host) => {
		expect(isLoopback(host)).toBe(true);
		expect(listen(host)).toBeUndefined();
		expect(listen(host, { noAuth: true, hasKey: false })).toBeUndefined();
		expect(listen(host, { hasKey: false })).toContain("no gateway key");
	});
});

describe("an address that others may reach", () => {
	it.each(REACHABLE)("%j needs the flag and a key", (host) => {
		expect(isLoopback(host)).toBe(false);
		expect(listen(host)).toContain("--allow-remote");
		expect(listen(host, { allowRemote: true })).toBeUndefined();
		expect(listen(host, { allowRemote: true, hasKey: false })).toContain("without a key");
		expect(listen(host, { allowRemote: true, noAuth: true })).toContain("--no-auth");
		expect(listen(host, { noAuth: true })).toContain("--no-auth");
	});
});
