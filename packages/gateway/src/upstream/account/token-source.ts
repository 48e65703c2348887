/** Where calls to the upstream get their access token. Refreshing it, once for all who wait, is the source's work. */
export interface TokenSource {
	/** A token that should work now. Rejects with a `GatewayError` of kind `signed-out` where there is none. */
	token(): Promise<string>;
	/** The upstream refused this token: the next `token()` must not hand it out again if there is a way to a new one. */
	tokenRefused(token: string): Promise<void>;
}
