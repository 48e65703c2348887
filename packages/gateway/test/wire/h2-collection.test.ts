import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const SCRIPT = fileURLToPath(new URL("./collect-sessions.ts", import.meta.url));

it("A20: the process lives when sessions that failed within a header block are collected, and keeps none", async () => {
	// In a process of its own, because Node aborts it on failure.
	const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", "--import", "tsx", SCRIPT]);
	expect(stdout).toBe("40 sessions, 0 left\n");
});
