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
 * The content of `<data folder>/gateway.json`, as JSON, mode 0600: where a running gateway is. It is written when the
 * gateway listens and removed when it stops, so whoever reads it has to make sure that `pid` is alive. There is no
 * secret in it. Fields may be added; the present ones stay what they are.
 *
 * Readers: `cursorwire connect` and `cursorwire doctor`, and the OpenCode plugin.
 */
export interface GatewayDiscovery {
	/** Where this machine reaches it, without `/v1`: `http://127.0.0.1:4280`. */
	url: string;
	pid: number;
	version: string;
	/** ISO 8601. */
	startedAt: string;
	/** `demo`: in front of the emulator, without an account. */
	mode: "serve" | "demo";
	/** Which key it takes: the one in `keyFile` (text, one line), one from its settings, or none. */
	auth: "key-file" | "configured" | "none";
	keyFile?: string;
}

/** A gateway that runs, with its key as far as it can be known. */
export interface FoundGateway extends GatewayDiscovery {
	key: string | undefined;
}

const LONGEST = 16 * 1024;

export const discoveryFileIn = (dataDir: string): string => join(dataDir, "gateway.json");

/** Tells others on this machine where the gateway is. Returns what takes it back, unless another gateway came since. */
export function announceGateway(dataDir: string, discovery: GatewayDiscovery): () => void {
	const file = discoveryFileIn(dataDir);
	mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
	// Renamed into place: a reader never sees half of it.
	const draft = `${file}.${process.pid}.tmp`;
	rmSync(draft, { force: true });
	try {
		writeFileSync(draft, `${JSON.stringify(discovery, undefined, 2)}\n`, { mode: 0o600, flag: "wx" });
		renameSync(draft, file);
	} finally {
		// On a full disk half of it may have been written.
		rmSync(draft, { force: true });
	}
	return () => {
		if (readDiscovery(file)?.pid === discovery.pid) rmSync(file, { force: true });
	};
}

/** The gateway that runs on this data folder. What a gateway left behind when it was killed counts as none. */
export function findGateway(dataDir: string): FoundGateway | undefined {
	const discovery = readDiscovery(discoveryFileIn(dataDir));
	if (!discovery || !isAlive(discovery.pid)) return undefined;
	return { ...discovery, key: discovery.keyFile === undefined ? undefined : readKeyFile(discovery.keyFile) };
}

/** For addresses that mean "all of them": the one by which this machine reaches itself. */
export function ownUrl(url: string): string {
	const own = new URL(url);
	if (own.hostname === "0.0.0.0") own.hostname = "127.0.0.1";
	if (own.hostname === "[::]") own.hostname = "[::1]";
	return own.origin;
}

/** Undefined also where others could have written it: a key goes to the address that it names. */
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
