import { createHash } from "node:crypto";
import { type ChecksumForm, type MachineIds, machineChecksum, openCursorChecksum, tokenChecksum } from "./checksum.ts";

/**
 * The client that the gateway identifies itself as. It is the same for the whole install and never changes at run time.
 */
export interface ClientIdentity {
	/** `x-cursor-client-type`. */
	clientType: string;
	/** `x-cursor-client-version`. */
	clientVersion: string;
	/**
	 * What helps if Cursor refuses the version: the setting, its environment variable, and versions that may be accepted.
	 */
	ifOutdated?: { setting: string; variable: string; others: readonly string[] };
	/** Only the older protocols want a checksum. `given` is one supplied by the user and sent unchanged. */
	checksum?: { form: ChecksumForm; machine: MachineIds } | { form: "given"; value: string };
}

/** What is known about a call before its headers are built. */
export interface CallFacts {
	token: string;
	/** True if Cursor must not store any content. */
	ghostMode: boolean;
	/** New for each attempt. */
	requestId: string;
	/** Milliseconds since the epoch, for the checksum. */
	now: number;
}

export interface RunFacts extends CallFacts {
	/** Request id of the first attempt, the same in all attempts of one run. */
	originalRequestId: string;
	/** Built-in tools the model may use, with commas between them. Undefined allows all of them. */
	allowedTools?: string;
}

type Headers = Record<string, string>;

const CODINGS = "gzip,br";
const CONNECT_VERSION = "1";
const USER_AGENT = "connect-es/1.6.1";

/** Headers of a unary Connect call with a protobuf body. */
export function unaryHeaders(identity: ClientIdentity, facts: CallFacts): Headers {
	return {
		...commonHeaders(identity, facts),
		"content-type": "application/proto",
		"accept-encoding": CODINGS,
	};
}

/** Headers of a Connect stream for a run. Every run has them, so they are written out in one place. */
export function runHeaders(identity: ClientIdentity, facts: RunFacts): Headers {
	const headers: Headers = {
		authorization: bearer(facts.token),
		"connect-protocol-version": CONNECT_VERSION,
		"user-agent": USER_AGENT,
		"x-cursor-client-type": identity.clientType,
		"x-cursor-client-version": identity.clientVersion,
		"x-ghost-mode": facts.ghostMode ? "true" : "false",
		"x-request-id": facts.requestId,
		"content-type": "application/connect+proto",
		"connect-accept-encoding": CODINGS,
		"x-original-request-id": facts.originalRequestId,
	};
	if (facts.allowedTools) headers["x-cursor-agent-allowed-tools"] = facts.allowedTools;
	return identity.checksum ? { ...headers, ...checksumHeader(identity, facts) } : headers;
}

/** Most runs send the token that the one before sent, which may have a thousand characters. */
let newestBearer = { token: "", header: "" };

function bearer(token: string): string {
	if (newestBearer.token !== token) newestBearer = { token, header: `Bearer ${token}` };
	return newestBearer.header;
}

export interface OlderCallFacts extends CallFacts {
	timeZone: string;
}

/**
 * Headers of a stream in one of the older protocols, as an editor sends them. The channel adds those of its framing.
 */
export function olderHeaders(identity: ClientIdentity, facts: OlderCallFacts): Headers {
	const { "connect-protocol-version": _, ...common } = commonHeaders(identity, facts);
	return {
		...common,
		"x-cursor-timezone": facts.timeZone,
		"x-client-key": createHash("sha256").update(facts.token).digest("hex"),
		"x-amzn-trace-id": `Root=${facts.requestId}`,
	};
}

/** Headers of the REST API, which takes an API key instead of a token. */
export function restHeaders(
	identity: ClientIdentity,
	facts: Pick<CallFacts, "ghostMode"> & { apiKey: string },
): Headers {
	return {
		authorization: `Bearer ${facts.apiKey}`,
		accept: "application/json",
		"accept-encoding": CODINGS,
		...clientHeaders(identity, facts.ghostMode),
	};
}

/** Derives a machine id from a seed that stays the same on this install and reveals nothing about it. */
export function machineIdFrom(seed: string): string {
	return createHash("sha256").update(seed).digest("hex");
}

function commonHeaders(identity: ClientIdentity, facts: CallFacts): Headers {
	return {
		authorization: `Bearer ${facts.token}`,
		"connect-protocol-version": CONNECT_VERSION,
		"user-agent": USER_AGENT,
		...clientHeaders(identity, facts.ghostMode),
		"x-request-id": facts.requestId,
		...checksumHeader(identity, facts),
	};
}

function clientHeaders({ clientType, clientVersion }: ClientIdentity, ghostMode: boolean): Headers {
	return {
		"x-cursor-client-type": clientType,
		"x-cursor-client-version": clientVersion,
		"x-ghost-mode": String(ghostMode),
	};
}

const CHECKSUMS: Record<ChecksumForm, (facts: CallFacts, machine: MachineIds) => string> = {
	machine: ({ now }, machine) => machineChecksum(now, machine),
	token: ({ now, token }) => tokenChecksum(now, token),
	opencursor: ({ now, token }) => openCursorChecksum(now, token),
};

function checksumHeader({ checksum }: ClientIdentity, facts: CallFacts): Headers {
	if (!checksum) return {};
	if (checksum.form === "given") return { "x-cursor-checksum": checksum.value };
	return { "x-cursor-checksum": CHECKSUMS[checksum.form](facts, checksum.machine) };
}
