import type { Soon } from "../../time/soon.ts";

/** Where upstream calls get their access token. The source refreshes it once for all callers that wait. */
export interface TokenSource {
	/** A token that should work now. Fails with a `GatewayError` of kind `signed-out` if there is none. */
	token(): Soon<string>;
	/** Reports that the upstream refused this token. The next `token()` must not return it if a new one can be had. */
	tokenRefused(token: string): Promise<void>;
}
