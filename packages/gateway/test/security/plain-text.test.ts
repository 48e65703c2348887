// A23: tokens travel in TLS that is verified, or stay on this machine.
import { startEmulator } from "cursorwire-emulator";
import { describe, expect, it, onTestFinished } from "vitest";
import { credentialOrigin } from "../../src/credentials/origin.ts";
import { resolveHosts } from "../../src/upstream/account/hosts.ts";
import { TestAuthority } from "../kit/network/tls.ts";
import { runProgram, temporaryFolder } from "../kit/program.ts";
import { startAttacker } from "./attacker.ts";

const models = (upstream: string, env: Record<string, string> = {}) =>
	runProgram(["models"], {
		CURSORWIRE_UPSTREAM: upstream,
		CURSORWIRE_DATA_DIR: temporaryFolder(),
		CURSOR_API_KEY: "key_test",
		...env,
	});

async function emulatorWithTls() {
	const emulator = await startEmulator({ tls: true });
	onTestFinished(() => emulator.close());
	return emulator;
}

describe("A23: an upstream without TLS", () => {
	it.each([
		"http://127.0.0.1:1",
		"http://127.9.9.9",
		"http://localhost:4290",
		"http://[::1]:1",
		"https://api2.cursor.sh",
	])("may be %s", (upstream) => expect(credentialOrigin(upstream).origin).toBe(new URL(upstream).origin));

	it.each([
		"http://api2.cursor.sh",
		"http://10.0.0.1",
		"http://0.0.0.0:4290",
		"http://127.0.0.1.evil.test",
		"http://localhost.evil.test",
		"http://[::2]",
		"http://1270.0.0.1.test",
		"http://user@evil.test",
	])("may not be %s", (upstream) => expect(() => credentialOrigin(upstream)).toThrow(/without TLS/));

	it("gets no token from the program, and no connection", async () => {
		const attacker = await startAttacker();
		onTestFinished(() => attacker.close());
		const { code, out, err } = await models(`http://not-this-machine.invalid:${attacker.port}`);
		expect(code).not.toBe(0);
		expect(out).toBe("");
		expect(err).toContain("without TLS");
		expect(attacker.connections()).toBe(0);
	});

	it("is not where a server may send a run that came with TLS", () => {
		const upstream = new URL("https://api2.cursor.sh");
		const named = (agentUrl: string) =>
			resolveHosts(upstream, { agentUrlConfig: { agentUrl, agentnUrl: agentUrl } } as never, true);
		for (const url of ["http://agent.api5.cursor.sh", "http://127.0.0.1:80", "ws://agent.api5.cursor.sh"]) {
			expect(named(url)).toMatchObject({ agentUrl: upstream, source: "upstream" });
		}
		expect(named("https://agent.api5.cursor.sh").source).toBe("server-config");
	});
});

describe("A23: a certificate that nobody vouches for", () => {
	it.each([
		["as it is", {}],
		["with the verification of Node switched off", { NODE_TLS_REJECT_UNAUTHORIZED: "0" }],
		["with another authority", { CURSORWIRE_CA_FILE: "another" }],
	])("is refused %s", async (_name, env: Record<string, string>) => {
		const emulator = await emulatorWithTls();
		const authority = new TestAuthority();
		onTestFinished(() => authority.dispose());
		const caFile = env.CURSORWIRE_CA_FILE && { CURSORWIRE_CA_FILE: authority.caPath };
		const { code, out, err } = await models(emulator.url, { ...env, ...caFile });
		expect({ code, out }).toMatchObject({ code: expect.any(Number), out: "" });
		expect(code).not.toBe(0);
		expect(err).toMatch(/TLS|certificate/);
		// Nothing was asked: no key went there.
		expect(emulator.stats().auth).toMatchObject({ exchanges: 0, refused: 0 });
		expect(emulator.stats().rpcs).toEqual({});
	});
});
