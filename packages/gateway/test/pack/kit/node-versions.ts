// The versions of Node that the packages promise to run on. The first is the oldest of them, to the digit.
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { installAgent } from "../../agents/kit/install.ts";
import { NODE_PACKAGE } from "../../agents/kit/packages.ts";

export const NODE_VERSIONS = ["20.19.0", "22.23.3", "24.21.0"];

/** A folder for PATH in which `node` is this version. */
export async function folderOfNode(version: string, folder: string): Promise<string> {
	const spec = NODE_PACKAGE.spec.replace(/@[^@]+$/, `@${version}`);
	const [node] = await installAgent({ spec, program: NODE_PACKAGE.program });
	mkdirSync(folder, { recursive: true });
	symlinkSync(node!, join(folder, "node"));
	return folder;
}
