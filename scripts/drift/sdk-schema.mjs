// The schema of an SDK that is named by its version, by `latest`, or by where it is on the disk.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fetchSdk, latestSdk } from "../../packages/emulator/conformance/runner/fetch-sdk.mjs";
import { extractSchema } from "../../packages/protocol/scripts/extract/extract.mjs";

const facts = JSON.parse(readFileSync(new URL("../../packages/protocol/facts.json", import.meta.url), "utf8"));
const VERSION = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

/** For a name that cannot be meant for any SDK. */
export class WrongUsage extends Error {}

/** @param {string} name */
export async function schemaNamed(name) {
	if (name === "latest") return schemaOfVersion(await latestSdk());
	if (VERSION.test(name)) return schemaOfVersion(name);
	const path = resolve(name);
	if (!existsSync(path))
		throw new WrongUsage(`"${name}" is neither a version, nor latest, nor a folder or .tgz that is there`);
	if (statSync(path).isDirectory()) return schemaOfFolder(path);
	if (path.endsWith(".tgz")) return schemaOfArchive(path);
	throw new WrongUsage(`"${name}" is neither a folder nor a .tgz`);
}

/** @param {string} version */
export async function schemaOfVersion(version) {
	return extractSchema(sdkIn(await fetchSdk(version)));
}

const sdkIn = (folder) => join(folder, "node_modules", "@cursor", "sdk");

/** Of a package that comes without what it depends on, the library is that of the SDK that the facts are from. */
async function schemaOfFolder(folder) {
	const hasLibrary = existsSync(join(folder, "node_modules", "@bufbuild", "protobuf"));
	return hasLibrary ? extractSchema(folder) : extractSchema(folder, sdkIn(await fetchSdk(facts.sdk)));
}

async function schemaOfArchive(path) {
	const folder = mkdtempSync(join(tmpdir(), "cursorwire-drift-"));
	try {
		const { status, stderr } = spawnSync("tar", ["-xzf", path, "-C", folder], { encoding: "utf8" });
		if (status !== 0) throw new WrongUsage(`${path} cannot be unpacked: ${stderr.trim()}`);
		return await schemaOfFolder(join(folder, "package"));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
