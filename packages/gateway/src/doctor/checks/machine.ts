import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { fileInPlaceOf } from "../../app/data-folder.ts";
import { isChosen, missingHome } from "../../config/settings.ts";
import type { Check } from "../check.ts";
import { failure, ok, type Verdict, warning } from "../verdict.ts";

const NEEDED = [20, 19];

export function judgeNode(version: string): Verdict {
	const [major = 0, minor = 0] = version.split(".").map(Number);
	if (major < NEEDED[0]! || (major === NEEDED[0] && minor < NEEDED[1]!)) {
		return failure(`Node ${version} is too old`, `Install Node ${NEEDED.join(".")} or newer from https://nodejs.org.`);
	}
	if (major % 2 === 1)
		return warning(`Node ${version} gets fixes only for a short time`, "Use an even version, such as 22.");
	return ok(`Node ${version}`);
}

export const node: Check = { id: "node", title: "Node", run: async () => judgeNode(process.versions.node) };

export interface ConfigFacts {
	file: string;
	exists: boolean;
	/** Settings that are not at their defaults, with their source. */
	changed: string[];
}

export function judgeConfig({ file, exists, changed }: ConfigFacts): Verdict {
	const what = changed.length === 0 ? "all settings at their defaults" : changed.join(", ");
	return ok(`${exists ? file : `no ${file}`}; ${what}`);
}

export const config: Check = {
	id: "config",
	title: "Settings",
	async run(context) {
		const { file, sources } = context.loaded();
		const changed = Object.entries(sources).flatMap(([name, source]) =>
			isChosen(source) ? [`${name} from the ${source}`] : [],
		);
		return judgeConfig({ file, exists: existsSync(file), changed });
	},
};

export const trust: Check = {
	id: "trust",
	title: "Certificates",
	after: ["config"],
	async run(context) {
		const { caFile } = context.settings();
		if (caFile === "") return ok("Node's own list");
		try {
			await context.connect();
			return ok(`Node's own list, and ${caFile}`);
		} catch (error) {
			return failure((error as Error).message, "Set CURSORWIRE_CA_FILE to a PEM file with certificates, or unset it.");
		}
	},
};

export interface FolderFacts {
	path: string;
	exists: boolean;
	writable: boolean;
	mode?: number;
	missingHome?: string;
	/** What is in place of the folder, or of one above it. */
	file?: string;
}

export function judgeFolder({ path, exists, writable, mode, missingHome: home, file }: FolderFacts): Verdict {
	if (file !== undefined) return failure(`${file} is not a folder`, "Set CURSORWIRE_DATA_DIR to another folder.");
	if (home !== undefined) {
		return failure(`the home folder ${home} does not exist`, "Set HOME, or CURSORWIRE_DATA_DIR to another folder.");
	}
	if (!writable) {
		return failure(
			`${path} cannot be written`,
			"Change its permissions, or set CURSORWIRE_DATA_DIR to another folder.",
		);
	}
	if (exists && mode !== undefined && (mode & 0o022) !== 0) {
		return warning(`${path} can be written by other users`, `Run \`chmod 700 ${path}\`.`);
	}
	return ok(exists ? path : `${path} (created when it is needed)`);
}

export const folder: Check = {
	id: "folder",
	title: "Data folder",
	after: ["config"],
	async run(context) {
		const loaded = context.loaded();
		const path = loaded.settings.dataDir;
		const exists = existsSync(path);
		return judgeFolder({
			path,
			exists,
			writable: isWritable(nearestFolder(path)),
			mode: exists && process.platform !== "win32" ? statSync(path).mode : undefined,
			missingHome: missingHome(loaded),
			file: fileInPlaceOf(path),
		});
	},
};

function nearestFolder(path: string): string {
	return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

function isWritable(path: string): boolean {
	try {
		accessSync(path, constants.W_OK);
		return true;
	} catch {
		return false;
	}
}
