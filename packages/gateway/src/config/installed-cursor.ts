import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Places } from "./places.ts";

/** The name of a folder with a build of the CLI, such as `2026.08.11-e8db854`. */
const BUILD = /^\d{4}\.\d{2}\.\d{2}-[0-9a-f]{6,40}$/;

/** The version that the newest Cursor CLI on this machine sends. Undefined if none is installed. */
export function installedCliVersion(places: Pick<Places, "platform" | "variable">): string | undefined {
	const folder = versionsFolder(places);
	const newest = folder && buildsIn(folder).sort().at(-1);
	return newest && `cli-${newest}`;
}

/** Undefined if the environment names no home folder: then it is unknown whose installation to look for. */
function versionsFolder({ platform, variable }: Pick<Places, "platform" | "variable">): string | undefined {
	const [base, ...below] = platform === "win32" ? [variable("LOCALAPPDATA")] : [variable("HOME"), ".local", "share"];
	return base ? join(base, ...below, "cursor-agent", "versions") : undefined;
}

function buildsIn(folder: string): string[] {
	try {
		return readdirSync(folder).filter((name) => BUILD.test(name));
	} catch {
		return [];
	}
}
