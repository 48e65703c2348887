// Every package that `npm install` unpacks has to run on the Node versions that we support, or npm warns about it.
import { satisfies } from "semver";

/** The oldest of each line that we support. */
const SUPPORTED = ["20.19.0", "22.13.0", "24.0.0"];

/**
 * @param {Record<string, any>} packages of package-lock.json
 * @returns {string[]} what is wrong
 */
export function engineProblems(packages) {
	return Object.entries(packages).flatMap(([path, { version, engines }]) => {
		const refused = SUPPORTED.filter((node) => !satisfies(node, engines?.node ?? "*"));
		if (refused.length === 0) return [];
		return [`${path} ${version} needs Node ${engines.node}, not ${refused.join(", ")}: choose another in "overrides"`];
	});
}
