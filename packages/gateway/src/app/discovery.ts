import {
	closeSync,
	constants,
	fstatSync,
	mkdirSync,
	openSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { readKeyFile } from "../access/key-file.ts";
import { isAlive } from "../files/process-alive.ts";

/**
 * Where a running gateway can be reached: the content of `<data folder>/gateway.json`, mode 0600. It is written when
 * the gateway listens and removed when it stops. A gateway that is killed leaves it behind, so readers have to check
 * that `pid` is alive. It contains no secret. Fields may be added, but the present ones keep their meaning.
 *
 * Readers: `cursorwire connect` and `cursorwire doctor`, and the OpenCode plugin.
 */
export interface GatewayDiscovery {
	/** The address to use on this machine, without `/v1`: `http://127.0.0.1:4280`. */
	url: string;
	pid: number;
	version: string;
	/** ISO 8601. */
	startedAt: string;
	/** `demo`: connected to the emulator, without an account. */
	mode: "serve" | "demo";
	/** Which key it accepts: the one in `keyFile` (text, one line), one from its settings, or none. */
	auth: "key-file" | "configured" | "none";
	keyFile?: string;
}

/** A running gateway, with its key if that is in a key file. */
export interface FoundGateway extends GatewayDiscovery {
	key: string | undefined;
}

const LONGEST = 16 * 1024;

export const discoveryFileIn = (dataDir: string): string => join(dataDir, "gateway.json");

/** Writes the discovery file. Returns a function that removes it, unless another gateway has replaced it by then. */
export function announceGateway(dataDir: string, discovery: GatewayDiscovery): () => void {
	const file = discoveryFileIn(dataDir);
	mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
	// Renamed into place, so that a reader never sees half of it.
	const draft = `${file}.${process.pid}.tmp`;
	rmSync(draft, { force: true });
	try {
		writeFileSync(draft, `${JSON.stringify(discovery, undefined, 2)}\n`, { mode: 0o600, flag: "wx" });
		renameSync(draft, file);
	} finally {
		// If the disk is full, half of it may have been written.
		rmSync(draft, { force: true });
	}
	return () => {
		if (readDiscovery(file)?.pid === discovery.pid) rmSync(file, { force: true });
	};
}

/** The gateway that runs on this data folder. The file of a gateway that was killed is ignored. */
export function findGateway(dataDir: string): FoundGateway | undefined {
	const discovery = readDiscovery(discoveryFileIn(dataDir));
	if (!discovery || !isAlive(discovery.pid)) return undefined;
	return { ...discovery, key: discovery.keyFile === undefined ? undefined : readKeyFile(discovery.keyFile) };
}

/** The address by which this machine reaches a gateway that listens on all addresses. */
export function ownUrl(url: string): string {
	const own = new URL(url);
	if (own.hostname === "0.0.0.0") own.hostname = "127.0.0.1";
	if (own.hostname === "[::]") own.hostname = "[::1]";
	return own.origin;
}

/** Also undefined if other users could have written the file: the key is sent to the address in it. */
function readDiscovery(file: string): GatewayDiscovery | undefined {
	let descriptor: number;
	try {
		descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
	} catch {
		return undefined;
	}
	try {
		const status = fstatSync(descriptor);
		const uid = process.getuid?.();
		if (!status.isFile() || status.size > LONGEST) return undefined;
		if (uid !== undefined && (status.uid !== uid || (status.mode & 0o077) !== 0)) return undefined;
		const content: unknown = JSON.parse(readFileSync(descriptor, "utf8"));
		return isDiscovery(content) ? content : undefined;
	} catch {
		return undefined;
	} finally {
		closeSync(descriptor);
	}
}

function isDiscovery(content: unknown): content is GatewayDiscovery {
	if (typeof content !== "object" || content === null) return false;
	const { url, pid, version, keyFile } = content as Record<string, unknown>;
	return (
		typeof url === "string" &&
		URL.canParse(url) &&
		Number.isInteger(pid) &&
		(pid as number) > 0 &&
		typeof version === "string" &&
		(keyFile === undefined || typeof keyFile === "string")
	);
}
