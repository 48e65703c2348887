// `npm run install:global [-- --prefix <folder>]`: builds the packages of this clone, and installs them so that
// `cursorwire` can be typed in any folder. Further arguments go to `npm install --global`.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PACKAGES = ["cursorwire-emulator", "cursorwire"];
const onWindows = process.platform === "win32";
const forNpm = process.argv.slice(2);

// In an empty folder, so that no project's settings of npm have a say.
const folder = mkdtempSync(join(tmpdir(), "cursorwire-install-"));
try {
	const prefix = npm(["prefix", "--global", ...forNpm], "pipe").trim();
	if (!canWrite(prefix)) {
		console.error(
			`${prefix} cannot be written by you. Choose a folder of your own: npm run install:global -- --prefix "$HOME/.local"`,
		);
		process.exitCode = 1;
	} else {
		install(prefix);
	}
} finally {
	rmSync(folder, { recursive: true, force: true });
}

function install(prefix) {
	console.log("Building and packing …");
	execFileSync(process.execPath, [join(ROOT, "scripts/build.mjs"), "--out", folder], { cwd: ROOT, stdio: "pipe" });
	const packed = JSON.parse(npm(["pack", "--json", ...PACKAGES.map((name) => `./${name}`)], "pipe"));
	const files = Object.values(packed).map(({ filename }) => filename);
	for (const file of files) console.log(`  SHA-256 ${sha256(join(folder, file))}  ${file}`);
	// Scripts of packages are not run anywhere in this project.
	const flags = ["--global", "--ignore-scripts", "--no-audit", "--no-fund"];
	npm(["install", ...flags, ...forNpm, ...files.map((file) => `./${file}`)], "inherit");

	const bin = onWindows ? prefix : join(prefix, "bin");
	const program = join(bin, onWindows ? "cursorwire.cmd" : "cursorwire");
	const version = execFileSync(program, ["--version"], { encoding: "utf8", shell: onWindows }).trim();
	console.log(`Installed: ${program} (${version})`);
	if (isOnPath(bin)) console.log("That folder is on your PATH, so `cursorwire demo` works in any folder.");
	else
		console.log(
			`That folder is not on your PATH. ${onWindows ? "Add it in the system's settings." : profileHint(bin)}`,
		);
	const further = forNpm.length > 0 ? ["--", ...forNpm] : [];
	console.log(`To remove it: ${["npm run uninstall:global", ...further].join(" ")}`);
}

function profileHint(bin) {
	return `Add this line to your shell's profile: export PATH="${bin}:$PATH"`;
}

function npm(args, output) {
	const stdio = ["ignore", output, "inherit"];
	return execFileSync(onWindows ? "npm.cmd" : "npm", args, { cwd: folder, stdio, encoding: "utf8", shell: onWindows });
}

function sha256(file) {
	return createHash("sha256").update(readFileSync(file)).digest("hex");
}

/** Whether a folder can be written, or created if it does not exist. */
function canWrite(place) {
	let existing = resolve(place, onWindows ? "." : "lib/node_modules");
	while (!existsSync(existing)) existing = dirname(existing);
	try {
		accessSync(existing, constants.W_OK);
		return true;
	} catch {
		return false;
	}
}

function isOnPath(bin) {
	const real = (place) => (existsSync(place) ? realpathSync(place) : place);
	return (process.env.PATH ?? "").split(delimiter).some((place) => place !== "" && real(place) === real(bin));
}
