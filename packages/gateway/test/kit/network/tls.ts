// Certificates for tests, and the authority that signs them.
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CertificateFields, writeCertificate } from "./certificate.ts";

/** What a TLS server needs. */
export interface TestCertificate {
	key: string;
	cert: string;
}

type Validity = Pick<CertificateFields, "notBefore" | "notAfter">;

const ROOT = "test root";
const DAY_MS = 24 * 60 * 60 * 1000;

/** A certificate authority that exists as long as a test file. */
export class TestAuthority {
	/** PEM of the root. */
	readonly ca: string;
	/** A file that holds it. */
	readonly caPath: string;
	readonly #folder: string;
	readonly #key: KeyObject;

	constructor() {
		const { publicKey, privateKey } = ellipticKeys();
		const names = { subject: ROOT, issuer: ROOT };
		this.#key = privateKey;
		this.ca = writeCertificate({ ...names, ...validNow(), publicKey, isAuthority: true }, privateKey);
		this.#folder = mkdtempSync(join(tmpdir(), "cursorwire-tls-"));
		this.caPath = join(this.#folder, "ca.pem");
		writeFileSync(this.caPath, this.ca);
	}

	/** A server certificate for these names and addresses. */
	issue(names: readonly string[] = ["localhost", "127.0.0.1"]): TestCertificate {
		return this.#sign(names, validNow());
	}

	/** One that was never valid in this century. */
	issueExpired(names: readonly string[] = ["localhost", "127.0.0.1"]): TestCertificate {
		return this.#sign(names, { notBefore: new Date("1999-01-01"), notAfter: new Date("1999-01-02") });
	}

	#sign(names: readonly string[], validity: Validity): TestCertificate {
		const { publicKey, privateKey } = ellipticKeys();
		const fields = { subject: names[0] ?? "", issuer: ROOT, names, publicKey, ...validity };
		return {
			key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
			cert: writeCertificate(fields, this.#key),
		};
	}

	dispose(): void {
		rmSync(this.#folder, { recursive: true, force: true });
	}
}

function ellipticKeys(): { publicKey: KeyObject; privateKey: KeyObject } {
	return generateKeyPairSync("ec", { namedCurve: "prime256v1" });
}

/** From yesterday, since clocks differ, until the day after tomorrow. */
function validNow(): Validity {
	const now = Date.now();
	return { notBefore: new Date(now - DAY_MS), notAfter: new Date(now + 2 * DAY_MS) };
}
