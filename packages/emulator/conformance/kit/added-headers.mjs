// Adds headers to the calls an SDK makes, beneath it, for a version that has the wire feature but no option for it.
import { beneathTheSdk } from "./beneath-the-sdk.mjs";

/**
 * @template T
 * @param {RegExp} paths
 * @param {Record<string, string>} headers
 * @param {() => Promise<T>} action
 */
export function withHeaders(paths, headers, action) {
	return beneathTheSdk({ headersFor: (path) => (paths.test(path) ? headers : {}) }, action);
}
