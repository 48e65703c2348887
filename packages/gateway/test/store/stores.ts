// Folders, time, limits and records for the tests of the store.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { MEMORY_LIMITS, type StoreLimits } from "../../src/store/limits.ts";

export * from "./sample-records.ts";

export function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "cursorwire-store-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** Time as a number that a test sets. */
export class Time {
	at = Date.UTC(2026, 10, 15, 12);
	now = () => this.at;
	pass(ms: number): void {
		this.at += ms;
	}
}

export const limits = (changes: Partial<StoreLimits> = {}): StoreLimits => ({ ...MEMORY_LIMITS, ...changes });
