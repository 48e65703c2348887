import { createHash } from "node:crypto";

/**
 * How `x-cursor-checksum` is computed, for protocols that want one. `machine` is the IDE's form, based on the machine
 * ids. `token` works without machine ids and is based on parts of the access token. `opencursor` is the same with whole
 * hashes in place of their first digits, as OpenCursor sends it.
 */
export type ChecksumForm = "machine" | "token" | "opencursor";

/** Ids of the machine, 64 hex digits each. They must not change within an install, or it looks like many machines. */
export interface MachineIds {
	machineId: string;
	/** Derived from a network card. Not every client sends it. */
	macMachineId?: string;
}

const UNIT_MS = 1_000_000;
const HALF_HOUR_MS = 30 * 60 * 1000;
const SEED = 165;

/** The IDE's form: obfuscated time, machine id, and the second id after a slash if there is one. */
export function machineChecksum(nowMs: number, { machineId, macMachineId }: MachineIds): string {
	const time = Math.floor(nowMs / UNIT_MS);
	// The IDE shifts 32-bit numbers by 40 and 32, which JavaScript treats as 8 and 0, so the low bytes appear twice.
	const bytes = [40, 32, 24, 16, 8, 0].map((shift) => (time >> shift) & 255);
	return `${scramble(bytes)}${machineId}${macMachineId === undefined ? "" : `/${macMachineId}`}`;
}

/** The form without machine ids: time in steps of half an hour, and hashes of the token. */
export function tokenChecksum(nowMs: number, token: string): string {
	const payload = token.split(".")[1];
	return `${halfHour(nowMs)}${payload ? shortHash(payload) : "00000000"}/${shortHash(token)}`;
}

/** OpenCursor's form, in which the hashes are as long as machine ids. */
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
