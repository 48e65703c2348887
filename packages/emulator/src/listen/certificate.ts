import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";
import * as der from "./der.ts";

export interface Certificate {
	/** PEM, also usable as the CA file of a client: the certificate signs itself. */
	cert: string;
	key: string;
}

export interface CertificateOptions {
	/** DNS names and IP addresses the certificate is for. */
	hosts: string[];
	notBefore?: Date;
	notAfter?: Date;
}

const ECDSA_WITH_SHA256 = der.sequence(der.oid("1.2.840.10045.4.3.2"));
const OID_COMMON_NAME = "2.5.4.3";
const OID_BASIC_CONSTRAINTS = "2.5.29.19";
const OID_SUBJECT_ALT_NAME = "2.5.29.17";
const DAY = 86_400_000;

/** Makes a self-signed certificate. Node has no API for it, and one structure does not justify a dependency. */
export function makeCertificate(options: CertificateOptions): Certificate {
	const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
	const name = der.sequence(
		der.set(der.sequence(der.oid(OID_COMMON_NAME), der.utf8String("Cursorwire emulator (not a real backend)"))),
	);
	const validity = der.sequence(
		der.generalizedTime(options.notBefore ?? new Date(Date.now() - DAY)),
		der.generalizedTime(options.notAfter ?? new Date(Date.now() + 30 * DAY)),
	);
	const extensions = der.sequence(
		der.sequence(der.oid(OID_BASIC_CONSTRAINTS), der.boolean(true), der.octetString(der.sequence(der.boolean(true)))),
		der.sequence(der.oid(OID_SUBJECT_ALT_NAME), der.octetString(der.sequence(...options.hosts.map(subjectAltName)))),
	);
	const body = der.sequence(
		der.tagged(0, der.integer(Buffer.from([2]))), // version 3
		der.integer(Buffer.concat([Buffer.from([0x01]), randomBytes(15)])),
		ECDSA_WITH_SHA256,
		name,
		validity,
		name,
		publicKey.export({ type: "spki", format: "der" }),
		der.tagged(3, extensions),
	);
	const certificate = der.sequence(body, ECDSA_WITH_SHA256, der.bitString(sign("sha256", body, privateKey)));
	return { cert: toPem(certificate), key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}

function subjectAltName(host: string): Buffer {
	const DNS_NAME = 2;
	const IP_ADDRESS = 7;
	if (isIP(host) === 4) return der.tagged(IP_ADDRESS, Buffer.from(host.split(".").map(Number)), false);
	if (host === "::1") return der.tagged(IP_ADDRESS, Buffer.from([...new Array(15).fill(0), 1]), false);
	return der.tagged(DNS_NAME, Buffer.from(host, "latin1"), false);
}

function toPem(bytes: Buffer): string {
	const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
	return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
