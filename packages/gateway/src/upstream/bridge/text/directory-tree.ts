import type { MessageInitShape } from "@bufbuild/protobuf";
import type { LsDirectoryTreeNodeSchema } from "@cursorwire/protocol/agent";
import type { ListedEntry } from "./listing.ts";

type Node = MessageInitShape<typeof LsDirectoryTreeNodeSchema>;

interface Folder {
	folders: Map<string, Folder>;
	files: Set<string>;
}

/** Builds the typed tree for a listing. */
export function directoryTree(root: string, entries: readonly ListedEntry[]): Node {
	const top: Folder = { folders: new Map(), files: new Set() };
	for (const { path, directory } of entries) {
		const name = path.at(-1) ?? "";
		const parent = folderAt(top, path.slice(0, -1));
		if (directory) folderAt(parent, [name]);
		else if (!parent.folders.has(name)) parent.files.add(name);
	}
	return { ...nodeOf(root.replace(/(?<=.)[/\\]+$/, ""), top), childrenWereProcessed: true };
}

function folderAt(folder: Folder, path: readonly string[]): Folder {
	let current = folder;
	for (const name of path) {
		const next = current.folders.get(name) ?? { folders: new Map(), files: new Set() };
		current.folders.set(name, next);
		current = next;
	}
	return current;
}

function nodeOf(absPath: string, { folders, files }: Folder): Node {
	const prefix = absPath.endsWith("/") ? absPath : `${absPath}/`;
	return {
		absPath,
		childrenDirs: [...folders].map(([name, folder]) => nodeOf(prefix + name, folder)),
		childrenFiles: [...files].map((name) => ({ name })),
		childrenWereProcessed: folders.size + files.size > 0,
		numFiles: files.size,
	};
}
