import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { rootCertificates } from "node:tls";
import { describeCause, WireError } from "../errors.ts";

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/**
 * Node's root certificates and those of a PEM file, as the `ca` of a TLS connection. `ca` replaces the built-in list,
 * so it has to contain both. An unusable file is an error: if it were ignored, the problem would only appear later, as
 * a certificate that is not trusted.
 */
export async function readTrust(path: string): Promise<string[]> {
	const certificates = (await readText(path)).match(CERTIFICATE) ?? [];
	if (certificates.length === 0) throw new WireError("bad-ca-file", `${path} holds no PEM certificate`);
	for (const certificate of certificates) requireParsable(certificate, path);
	return [...rootCertificates, ...certificates];
}

async function readText(path: string): Promise<string> {
	try {
		return await readFile(path, "utf8");
	} catch (cause) {
		throw new WireError("bad-ca-file", `cannot read the CA file: ${describeCause(cause)}`, { cause });
	}
}

function requireParsable(certificate: string, path: string): void {
	try {
		new X509Certificate(certificate);
	} catch (cause) {
		throw new WireError("bad-ca-file", `${path} holds a damaged certificate`, { cause });
	}
}
