import { dirname, join, sep } from "node:path";

/** Where the program that a service would start lies: whether it will still be there tomorrow. */
export interface ProgramPlace {
	/** npm empties this cache on its own. */
	inNpxCache: boolean;
	/** The folder around it that the system may empty. */
	temporaryFolder?: string;
	/** The clone of the repository that it is part of, which its owner may move or update. */
	clone?: string;
}

export interface PlaceFacts {
	/** Folders that the system may empty. */
	temporaryFolders: readonly string[];
	exists(path: string): boolean;
}

/** `program` is an absolute path. */
export function placeOf(program: string, { temporaryFolders, exists }: PlaceFacts): ProgramPlace {
	return {
		inNpxCache: program.split(/[\\/]/).includes("_npx"),
		temporaryFolder: temporaryFolders.find((folder) => program.startsWith(`${folder}${sep}`)),
		clone: cloneOf(program, exists),
	};
}

/** In a clone the program is packages/gateway/bin/cursorwire.mjs, with its source beside it. */
function cloneOf(program: string, exists: (path: string) => boolean): string | undefined {
	const gateway = dirname(dirname(program));
	const root = dirname(dirname(gateway));
	return exists(join(gateway, "src", "main.ts")) && exists(join(root, "package-lock.json")) ? root : undefined;
}
