import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../../config/settings.ts";
import type { ChecksumForm } from "../../upstream/account/checksum.ts";
import { type ClientIdentity, machineIdFrom } from "../../upstream/account/identity.ts";
import type { ProtocolName } from "../../upstream/protocols/driver.ts";

type IdentitySettings = Pick<Settings, "chatClientVersion" | "checksum" | "checksumForm" | "dataDir">;

/** The client that the gateway pretends to be on the older protocols: the editor of their time, with a checksum. */
export function olderIdentity(settings: IdentitySettings, protocol: ProtocolName): ClientIdentity {
	const identity = {
		clientType: "ide",
		clientVersion: settings.chatClientVersion,
		ifOutdated: { setting: "chatClientVersion", variable: "CURSORWIRE_CHAT_CLIENT_VERSION", others: [] },
	};
	if (settings.checksum !== "") return { ...identity, checksum: { form: "given", value: settings.checksum } };
	return { ...identity, checksum: { form: checksumForm(settings, protocol), machine: machineIds(settings.dataDir) } };
}

/** The checksum form that the clients of each protocol send, unless a setting says otherwise. */
function checksumForm({ checksumForm: wanted }: IdentitySettings, protocol: ProtocolName): ChecksumForm {
	if (wanted !== "auto") return wanted as ChecksumForm;
	return protocol === "legacy" ? "token" : "machine";
}

const known = new Map<string, string>();

/** One random id per installation, created when it is first needed. It says nothing about the machine. */
function machineIds(dataDir: string): { machineId: string } {
	const file = join(dataDir, "machine-id");
	const machineId = known.get(file) ?? readId(file) ?? makeId(dataDir, file);
	known.set(file, machineId);
	return { machineId };
}

function readId(file: string): string | undefined {
	try {
		return /^[0-9a-f]{64}$/.exec(readFileSync(file, "utf8").trim())?.[0];
	} catch {
		return undefined;
	}
}

function makeId(dataDir: string, file: string): string {
	const id = machineIdFrom(randomBytes(32).toString("hex"));
	try {
		mkdirSync(dataDir, { recursive: true, mode: 0o700 });
		writeFileSync(file, `${id}\n`, { mode: 0o600 });
	} catch {
		// If the folder cannot be written to, the id is only used until the process ends.
	}
	return id;
}
