// Features that older versions of the SDK lack. A case that needs one does the nearest thing without it, and says so.

/** The first version that has each, by its type declarations. */
const SINCE = {
	/** Resumes a broken run by itself. */
	retries: "1.0.19",
	/** `RunResult.error`. */
	resultError: "1.0.23",
	/** The options `tools` and `disallowedTools`. */
	toolOptions: "1.0.27",
	/** `Cursor.auth.login()`. */
	login: "1.0.27",
};

/** @typedef {keyof typeof SINCE} Feature */

/**
 * @param {string} version
 * @param {Feature} feature
 */
export function hasFeature(version, feature) {
	return compareVersions(version, SINCE[feature]) >= 0;
}

/** Compares as `sort` expects it. A pre-release counts as its release. */
function compareVersions(one, other) {
	const numbers = (version) => version.split("-")[0].split(".").map(Number);
	const [left, right] = [numbers(one), numbers(other)];
	return left[0] - right[0] || left[1] - right[1] || left[2] - right[2];
}
