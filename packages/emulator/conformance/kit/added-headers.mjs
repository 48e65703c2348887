// Adds headers to the SDK's requests below the SDK, for versions whose API has no option for them.
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
