// Certificates for tests, made by the openssl command line tool in a temporary folder.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What a TLS server needs. */
export interface TestCertificate {
	key: string;
	cert: string;
}

const CA_CONFIG = `
[ca]
default_ca = test
[test]
database = index.txt
new_certs_dir = .
rand_serial = yes
certificate = ca.pem
private_key = ca.key
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
`;

/** A certificate authority that exists as long as a test file. */
export class TestAuthority {
	/** PEM of the root. */
	readonly ca: string;
	/** A file that holds it. */
	readonly caPath: string;
	readonly #folder: string;
	#issued = 0;

	constructor() {
		this.#folder = mkdtempSync(join(tmpdir(), "cursorwire-tls-"));
		this.caPath = join(this.#folder, "ca.pem");
		this.#openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", "ca.key");
		this.#openssl("req", "-x509", "-key", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=test root");
		writeFileSync(join(this.#folder, "ca.cnf"), CA_CONFIG);
		writeFileSync(join(this.#folder, "index.txt"), "");
		this.ca = readFileSync(this.caPath, "utf8");
	}

	/** A server certificate for these names and addresses. */
	issue(names: readonly string[] = ["localhost", "127.0.0.1"]): TestCertificate {
		return this.#sign(names, ["-days", "2"]);
	}

	/** One that was never valid in this century. */
	issueExpired(names: readonly string[] = ["localhost", "127.0.0.1"]): TestCertificate {
		return this.#sign(names, ["-startdate", "19990101000000Z", "-enddate", "19990102000000Z"]);
	}

	#sign(names: readonly string[], validity: readonly string[]): TestCertificate {
		const id = `leaf${this.#issued++}`;
		const alternatives = names.map((name) => `${isIP(name) === 0 ? "DNS" : "IP"}:${name}`).join(",");
		writeFileSync(join(this.#folder, `${id}.ext`), `subjectAltName=${alternatives}\n`);
		this.#openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", `${id}.key`);
		this.#openssl("req", "-new", "-key", `${id}.key`, "-out", `${id}.csr`, "-subj", `/CN=${names[0]}`);
		// `openssl ca` and not `openssl x509`: only it could set both dates before version 3.4.
		const files = ["-in", `${id}.csr`, "-out", `${id}.pem`, "-extfile", `${id}.ext`];
		this.#openssl("ca", "-batch", "-notext", "-config", "ca.cnf", ...files, ...validity);
		const read = (name: string) => readFileSync(join(this.#folder, name), "utf8");
		return { key: read(`${id}.key`), cert: read(`${id}.pem`) };
	}

	dispose(): void {
		rmSync(this.#folder, { recursive: true, force: true });
	}

	#openssl(...args: string[]): void {
		const { error, status, stderr } = spawnSync("openssl", args, { cwd: this.#folder, encoding: "utf8" });
		if (error !== undefined) throw new Error(`these tests need the openssl command: ${error.message}`);
		if (status !== 0) throw new Error(`openssl ${args[0]} failed: ${stderr}`);
	}
}
