// A home in which `cursorwire launch` runs, and what a launch has left of itself there.
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { runProgram, temporaryFolder } from "./program.ts";

export interface Home {
	dataDir: string;
	env: Record<string, string>;
	/** A script below the folder, as arguments of Node. */
	script(text: string): string[];
	/** The files below the folder of the launches. */
	left(): string[];
	keys(): Promise<{ name: string; revokedAt?: number; expiresAt?: number }[]>;
}

export function launchHome(upstream: string): Home {
	const folder = temporaryFolder();
	const dataDir = join(folder, "data");
	const env = {
		CURSORWIRE_DATA_DIR: dataDir,
		CURSORWIRE_UPSTREAM: upstream,
		CURSOR_API_KEY: "key_test",
		HOME: folder,
	};
	return {
		dataDir,
		env,
		script(text) {
			const file = join(folder, "agent.mjs");
			writeFileSync(file, text);
			return ["--", process.execPath, file];
		},
		left: () => (existsSync(join(dataDir, "launch")) ? readdirSync(join(dataDir, "launch")) : []),
		async keys() {
			const { out } = await runProgram(["keys", "--json"], env);
			return JSON.parse(out).keys.filter(({ name }: { name: string }) => name.endsWith("(launch)"));
		},
	};
}

/** Nothing but a revoked key of each launch, which `keys` knows for a while. */
export async function expectNothingLeft({ left, keys }: Home, launches = 1): Promise<void> {
	expect(left()).toEqual([]);
	const revoked = expect.objectContaining({ revokedAt: expect.any(Number), expiresAt: expect.any(Number) });
	expect(await keys()).toEqual(Array.from({ length: launches }, () => revoked));
}
