// A Debian root file system with nothing but the smallest set of packages, Node, npm, and a clone of this repository.
import { spawnSync } from "node:child_process";
import {
	copyFileSync,
	cpSync,
	existsSync,
	mkdirSync,
	readFileSync,
	realpathSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { findCommand } from "../tools/find.mjs";

/** Where the clone is, seen from inside. */
export const CLONE = "/root/cursorwire";

/** Runs a command to its end, and throws what it said where it fails. */
function run(command, args) {
	const { error, status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8" });
	if (error) throw error;
	if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed:\n${stdout}${stderr}`.trimEnd());
	return stdout;
}

/** @param {string} repository @param {string} root an empty folder */
export function buildRoot(repository, root) {
	installDebian(root);
	installNode(root);
	passOnNetworkSettings(root);
	run("git", ["clone", "--quiet", "--no-hardlinks", repository, join(root, CLONE)]);
}

/** From where this machine has its own packages. */
function installDebian(root) {
	const format = "$(REPO_URI) $(RELEASE) $(COMPONENT) $(ORIGIN)";
	const sources = run("apt-get", ["indextargets", "--format", format, "Created-By: Packages"])
		.split("\n")
		.map((line) => line.split(" "))
		.filter(([, , component, origin]) => origin === "Debian" && component === "main");
	const suite = /^VERSION_CODENAME=(.*)$/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1];
	const mirror = sources.find(([, release]) => release === suite)?.[0];
	if (!mirror) throw new Error("apt-get has no list of Debian's packages: run `apt-get update`, on Debian");
	run("debootstrap", ["--variant=minbase", suite, root, mirror]);
	const lines = sources.map(([uri, release]) => `deb ${uri} ${release} main\n`);
	writeFileSync(join(root, "etc/apt/sources.list"), lines.join(""));
	const settings = run("apt-config", ["dump"]).match(/^Acquire::(http|https|ftp|Retries|Check-Valid-Until)\b.*;$/gm);
	writeFileSync(join(root, "etc/apt/apt.conf.d/90host"), `${(settings ?? []).join("\n")}\n`);
}

/** The Node that runs this, with the npm that is installed. */
function installNode(root) {
	const modules = join(root, "usr/local/lib/node_modules");
	mkdirSync(modules, { recursive: true });
	copyFileSync(process.execPath, join(root, "usr/local/bin/node"));
	cpSync(dirname(dirname(realpathSync(findCommand("npm") ?? ""))), join(modules, "npm"), { recursive: true });
	for (const name of ["npm", "npx"]) {
		symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, "usr/local/bin", name));
	}
}

/** The registry, proxies and certificates that npm uses on this machine. */
function passOnNetworkSettings(root) {
	const setting = (name) => run("npm", ["config", "get", name]).trim();
	const npmFiles = { userconfig: "root/.npmrc", globalconfig: "usr/local/etc/npmrc" };
	mkdirSync(join(root, "usr/local/etc"), { recursive: true });
	for (const [name, place] of Object.entries(npmFiles)) {
		if (existsSync(setting(name))) copyFileSync(setting(name), join(root, place));
	}
	const files = ["/etc/resolv.conf", "/etc/hosts", process.env.NODE_EXTRA_CA_CERTS, setting("cafile")];
	for (const file of new Set(files)) {
		if (!file || !existsSync(file)) continue;
		mkdirSync(dirname(join(root, file)), { recursive: true });
		copyFileSync(file, join(root, file));
	}
}
