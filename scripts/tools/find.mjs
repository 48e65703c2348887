import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** @returns {string | undefined} where on the PATH a command is */
export function findCommand(name, path = process.env.PATH ?? "") {
	return path
		.split(delimiter)
		.map((folder) => join(folder, name))
		.find(isExecutable);
}

function isExecutable(file) {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}
