import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { connect, createServer } from "node:tls";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { closing } from "../cleanup.ts";
import { TestAuthority, type TestCertificate } from "./tls.ts";

const path = process.env.PATH;
process.env.PATH = "";
const authority = new TestAuthority();
const certificates = {
	local: authority.issue(),
	named: authority.issue(["cursor.test", "api.cursor.test"]),
	expired: authority.issueExpired(),
};
process.env.PATH = path;
afterAll(() => authority.dispose());

/** What a client that trusts the authority says about a server with the certificate. */
async function verdict(certificate: TestCertificate, ca = authority.ca): Promise<string> {
	const server = closing(createServer(certificate, (socket) => socket.on("error", () => {})).listen(0, "127.0.0.1"));
	await once(server, "listening");
	const { port } = server.address() as { port: number };
	const socket = connect({ port, host: "127.0.0.1", ca });
	onTestFinished(() => void socket.destroy());
	return new Promise((resolve) => {
		socket.on("secureConnect", () => resolve("trusted"));
		socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? ""));
	});
}

describe("a test authority, on a machine without an openssl command", () => {
	it("issues certificates that its clients trust", async () => {
		expect(await verdict(certificates.local)).toBe("trusted");
	});

	it("issues certificates for other names, and expired ones, which they refuse", async () => {
		expect(await verdict(certificates.named)).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
		expect(await verdict(certificates.expired)).toBe("CERT_HAS_EXPIRED");
	});

	it("is not trusted by clients of another one of the same name", async () => {
		const other = new TestAuthority();
		onTestFinished(() => other.dispose());
		expect(await verdict(certificates.local, other.ca)).not.toBe("trusted");
	});

	it("writes what a certificate has to say", () => {
		const root = new X509Certificate(authority.ca);
		const leaf = new X509Certificate(certificates.named.cert);
		expect(root.ca).toBe(true);
		expect(leaf.ca).toBe(false);
		expect(leaf.subject).toBe("CN=cursor.test");
		expect(leaf.subjectAltName).toBe("DNS:cursor.test, DNS:api.cursor.test");
		expect(new X509Certificate(certificates.local.cert).subjectAltName).toBe("DNS:localhost, IP Address:127.0.0.1");
		expect(leaf.checkIssued(root)).toBe(true);
		expect(leaf.verify(root.publicKey)).toBe(true);
		expect(new X509Certificate(certificates.expired.cert).validTo).toBe("Jan  2 00:00:00 1999 GMT");
	});
});
