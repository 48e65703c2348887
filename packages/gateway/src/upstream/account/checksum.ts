import { createHash } from "node:crypto";

/**
 * How `x-cursor-checksum` is made, where a protocol wants one at all. `machine`: the form of the IDE, over the ids of
 * the machine. `token`: a form in use without machine ids, over parts of the access token. `opencursor`: the same with
 * whole hashes in place of their first digits, as OpenCursor sends it.
 */
export type ChecksumForm = "machine" | "token" | "opencursor";

/** Ids of the machine: 64 hex digits each. They must stay the same for an install: changing ones look like a crowd. */
export interface MachineIds {
	machineId: string;
	/** Derived from a network card; not every client has one. */
	macMachineId?: string;
}

const UNIT_MS = 1_000_000;
const HALF_HOUR_MS = 30 * 60 * 1000;
const SEED = 165;

/** The form of the IDE: scrambled time, machine id, and behind a slash the second id where there is one. */
export function machineChecksum(nowMs: number, { machineId, macMachineId }: MachineIds): string {
	const time = Math.floor(nowMs / UNIT_MS);
	// The IDE shifts 32-bit numbers by 40 and 32, which JavaScript takes for 8 and 0: the low bytes stand there again.
	const bytes = [40, 32, 24, 16, 8, 0].map((shift) => (time >> shift) & 255);
	return `${scramble(bytes)}${machineId}${macMachineId === undefined ? "" : `/${macMachineId}`}`;
}

/** The form without machine ids: time in steps of half an hour, and hashes of the token. */
export function tokenChecksum(nowMs: number, token: string): string {
	const payload = token.split(".")[1];
	return `${halfHour(nowMs)}${payload ? shortHash(payload) : "00000000"}/${shortHash(token)}`;
}

/** The form of OpenCursor, whose hashes are as long as the ids of a machine. */
export function openCursorChecksum(nowMs: number, token: string): string {
	return `${halfHour(nowMs)}${hash(token.split(".")[1] ?? "")}/${hash(token)}`;
}

function halfHour(nowMs: number): string {
	const time = Math.floor(Math.floor(nowMs / HALF_HOUR_MS) * (HALF_HOUR_MS / UNIT_MS));
	return scramble([5, 4, 3, 2, 1, 0].map((place) => Math.floor(time / 256 ** place) & 255));
}

function scramble(bytes: readonly number[]): string {
	const scrambled = Buffer.alloc(bytes.length);
	let previous = SEED;
	bytes.forEach((byte, index) => {
		previous = ((byte ^ previous) + index) & 255;
		scrambled[index] = previous;
	});
	return scrambled.toString("base64url");
}

function hash(text: string): string {
	return createHash("sha256").update(text).digest("hex");
}

const shortHash = (text: string) => hash(text).slice(0, 8);
