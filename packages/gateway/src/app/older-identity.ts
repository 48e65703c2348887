import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../config/settings.ts";
import type { ChecksumForm } from "../upstream/account/checksum.ts";
import { type ClientIdentity, machineIdFrom } from "../upstream/account/identity.ts";
import type { ProtocolName } from "../upstream/protocols/driver.ts";

type IdentitySettings = Pick<Settings, "chatClientVersion" | "checksum" | "checksumForm" | "dataDir">;

/** As whom the older protocols introduce the gateway: the editor of their time, with a checksum. */
export function olderIdentity(settings: IdentitySettings, protocol: ProtocolName): ClientIdentity {
	const identity = {
		clientType: "ide",
		clientVersion: settings.chatClientVersion,
		ifOutdated: { setting: "chatClientVersion", variable: "CURSORWIRE_CHAT_CLIENT_VERSION", others: [] },
	};
	if (settings.checksum !== "") return { ...identity, checksum: { form: "given", value: settings.checksum } };
	return { ...identity, checksum: { form: checksumForm(settings, protocol), machine: machineIds(settings.dataDir) } };
}

/** What the clients of each protocol send, unless a setting says otherwise. */
function checksumForm({ checksumForm: wanted }: IdentitySettings, protocol: ProtocolName): ChecksumForm {
	if (wanted !== "auto") return wanted as ChecksumForm;
	return protocol === "legacy" ? "token" : "machine";
}

const known = new Map<string, string>();

/** One id for an install, made when it is first needed: it says nothing about the machine, and never changes. */
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
		// A folder that cannot be written to: the id then lasts as long as the process.
	}
	return id;
}
