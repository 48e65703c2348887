// Writes an X.509 certificate (RFC 5280) and signs it, so that tests need no openssl command.
import { type KeyObject, randomBytes, sign } from "node:crypto";
import { isIPv4 } from "node:net";
import {
	bitString,
	boolean,
	explicit,
	implicit,
	integer,
	objectIdentifier,
	octetString,
	sequence,
	set,
	utcTime,
	utf8String,
} from "./der.ts";

export interface CertificateFields {
	subject: string;
	issuer: string;
	publicKey: KeyObject;
	notBefore: Date;
	notAfter: Date;
	/** Of a server: its host names and IPv4 addresses. */
	names?: readonly string[];
	/** Whether it may sign others. */
	isAuthority?: boolean;
}

const VERSION_3 = 2;
const COMMON_NAME = "2.5.4.3";
const BASIC_CONSTRAINTS = "2.5.29.19";
const SUBJECT_ALTERNATIVE_NAME = "2.5.29.17";
const ECDSA_WITH_SHA256 = sequence(objectIdentifier("1.2.840.10045.4.3.2"));
/** Which choice of a GeneralName each is. */
const DNS_NAME = 2;
const IP_ADDRESS = 7;

/** As PEM, signed with the elliptic key of its issuer. */
export function writeCertificate(fields: CertificateFields, issuerKey: KeyObject): string {
	const content = sequence(
		explicit(0, integer(Uint8Array.of(VERSION_3))),
		integer(serialNumber()),
		ECDSA_WITH_SHA256,
		distinguishedName(fields.issuer),
		sequence(utcTime(fields.notBefore), utcTime(fields.notAfter)),
		distinguishedName(fields.subject),
		fields.publicKey.export({ type: "spki", format: "der" }),
		explicit(3, sequence(...extensions(fields))),
	);
	const signature = sign("sha256", content, issuerKey);
	return toPem(sequence(content, ECDSA_WITH_SHA256, bitString(signature)));
}

function serialNumber(): Uint8Array {
	const bytes = randomBytes(16);
	// A number has no zeros in front.
	bytes[0]! |= 1;
	return bytes;
}

function distinguishedName(commonName: string): Buffer {
	return sequence(set(sequence(objectIdentifier(COMMON_NAME), utf8String(commonName))));
}

function extensions({ names, isAuthority }: CertificateFields): Buffer[] {
	const all: Buffer[] = [];
	if (isAuthority) all.push(extension(BASIC_CONSTRAINTS, sequence(boolean(true))));
	if (names) all.push(extension(SUBJECT_ALTERNATIVE_NAME, sequence(...names.map(generalName))));
	return all;
}

function extension(id: string, value: Buffer): Buffer {
	return sequence(objectIdentifier(id), octetString(value));
}

function generalName(name: string): Buffer {
	if (isIPv4(name)) return implicit(IP_ADDRESS, Uint8Array.from(name.split("."), Number));
	return implicit(DNS_NAME, Buffer.from(name));
}

function toPem(der: Buffer): string {
	const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
	return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}
