import { Http2Config } from "@cursorwire/protocol/aiserver";
import { describe, expect, it } from "vitest";
import { resolveHosts } from "./hosts.ts";

const CURSOR = new URL("https://api2.cursor.sh");
const LOCAL = new URL("http://127.0.0.1:4290");
const config = (agentUrl: string, agentnUrl = "", http2Config: Http2Config = Http2Config.UNSPECIFIED) => ({
	http2Config,
	agentUrlConfig: { $typeName: "aiserver.v1.AgentUrlConfig" as const, agentUrl, agentnUrl },
});

describe("resolveHosts", () => {
	const both = config("https://agent.api5.cursor.sh", "https://agentn.us.api5.cursor.sh");

	it("takes the privacy host in privacy mode and the other one otherwise", () => {
		expect(resolveHosts(CURSOR, both, true)).toMatchObject({ source: "server-config", http2Config: "unset" });
		expect(resolveHosts(CURSOR, both, true).agentUrl.host).toBe("agent.api5.cursor.sh");
		expect(resolveHosts(CURSOR, both, false).agentUrl.host).toBe("agentn.us.api5.cursor.sh");
	});

	it("stays with the upstream where nothing is named", () => {
		for (const answer of [undefined, config(""), config("no url"), { http2Config: Http2Config.UNSPECIFIED }]) {
			expect(resolveHosts(CURSOR, answer, true)).toMatchObject({ source: "upstream", agentUrl: CURSOR });
		}
	});

	it("A15: does not take the token out of Cursor's domains, to plain text, or to an address with a login", () => {
		for (const url of [
			"https://cursor.sh.evil.test",
			"https://evilcursor.sh",
			"http://agent.api5.cursor.sh",
			"https://user:password@agent.api5.cursor.sh",
			"file:///etc/passwd",
		]) {
			expect(resolveHosts(CURSOR, config(url), true).source, url).toBe("upstream");
		}
	});

	it("lets another backend name its own hosts", () => {
		expect(resolveHosts(LOCAL, config("http://127.0.0.1:4291"), true).agentUrl.port).toBe("4291");
		const secure = new URL("https://backend.test");
		expect(resolveHosts(secure, config("http://backend.test"), true).source).toBe("upstream");
		expect(resolveHosts(secure, config("https://other.test"), true).source).toBe("server-config");
	});

	it.each([
		[0, "unset"],
		[1, "http1"],
		[2, "http2"],
		[3, "http1"],
		[4, "http2"],
		[77, "unset"],
	])("reads http2_config %i as %s", (value, expected) => {
		expect(resolveHosts(LOCAL, config("", "", value as Http2Config), true).http2Config).toBe(expected);
	});
});
