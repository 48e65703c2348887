import { existsSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { isSea } from "node:sea";
import { SettingError } from "../config/settings.ts";
import { type ProgramPlace, placeOf } from "../service/program-place.ts";

/** What a service has to start, and notes on what it then depends on. Refuses a program that npm may remove. */
export function programForService(): { command: string[]; notes: string[] } {
	// A single executable is named by its own path, whatever it was called by.
	const command = isSea() ? [process.execPath] : [process.execPath, resolve(process.argv[1] ?? "")];
	const called = command.at(-1)!;
	const place = placeFor(realpathOf(called));
	// Either end of a link may be in the cache.
	if (place.inNpxCache || placeFor(called).inNpxCache) {
		throw new SettingError(
			`${called} is in the cache of npx, which npm may empty at any time, and then the service could not start. ` +
				"Install the program first, with `npm run install:global` in a clone of the repository " +
				"(or with `npm install --global cursorwire`, once it is published), and run `cursorwire service install` again",
		);
	}
	return { command, notes: notesOn(place) };
}

function notesOn({ temporaryFolder, clone }: ProgramPlace): string[] {
	const notes: string[] = [];
	if (clone !== undefined) {
		notes.push(
			`the service runs the clone in ${clone} as it is. Run \`cursorwire service install\` again after you move or update it.`,
		);
	}
	if (temporaryFolder !== undefined) {
		notes.push(
			`the program is in ${temporaryFolder}, which the system may empty, and then the service cannot start. Move it to a lasting folder.`,
		);
	}
	return notes;
}

const placeFor = (program: string): ProgramPlace =>
	placeOf(program, { temporaryFolders: temporaryFolders(), exists: existsSync });

const temporaryFolders = (): string[] => ["/tmp", "/var/tmp", tmpdir()].filter(existsSync).map(realpathOf);

function realpathOf(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		return path;
	}
}
