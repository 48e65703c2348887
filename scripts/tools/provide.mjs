// Installs the tools that are missing, where that is allowed and possible.
import { spawnSync } from "node:child_process";
import { findCommand } from "./find.mjs";

/** What to do about missing tools. `install` and then skip, `skip` at once, `require`: install, and skipping is failing. */
const WAYS = ["install", "skip", "require"];

/** @returns {"install" | "skip" | "require"} */
export function chosenWay(env = process.env) {
	const way = env.CURSORWIRE_TEST_TOOLS ?? "install";
	if (!WAYS.includes(way)) throw new Error(`CURSORWIRE_TEST_TOOLS is ${way}; it can be ${WAYS.join(", ")}`);
	return way;
}

/**
 * @template {import("./table.mjs").Tool} T
 * @param {T[]} tools
 * @returns {T[]} those that are still missing afterwards
 */
export function provideTools(tools, way = chosenWay()) {
	const missing = missingOf(tools);
	if (missing.length === 0 || way === "skip" || !mayInstall()) return missing;
	install(missing.map((tool) => tool.package));
	return missingOf(tools);
}

const missingOf = (tools) => tools.filter(({ commands }) => !commands.every((name) => findCommand(name)));

const mayInstall = () => process.getuid?.() === 0 && findCommand("apt-get") !== undefined;

function install(packages) {
	console.log(
		`The tests need ${packages.join(", ")}: installing with apt-get (CURSORWIRE_TEST_TOOLS=skip forbids it).`,
	);
	const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
	const aptGet = (...args) => {
		const { status, stdout, stderr } = spawnSync("apt-get", ["-qq", ...args], { env, encoding: "utf8" });
		if (status !== 0) console.log(`apt-get ${args[0]} failed:\n${stdout}${stderr}`);
		return status === 0;
	};
	// One package that cannot be had must not keep the others away.
	if (!aptGet("update")) return;
	for (const name of packages) aptGet("install", "-y", "--no-install-recommends", ...WAIT_FOR_OTHERS, name);
}

const WAIT_FOR_OTHERS = ["-o", "DPkg::Lock::Timeout=600"];
