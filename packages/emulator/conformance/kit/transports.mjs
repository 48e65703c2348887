// The ways in which the SDK reaches the emulator. The SDK itself only gets the URL.

/**
 * @typedef {object} Transport
 * @property {string[]} flags options of the emulator
 * @property {"1.1" | "2.0"} http the HTTP version of the run's calls
 * @property {boolean} [gzip] whether the server's messages are compressed
 */

/**
 * `http2-config` is GetServerConfig.http2_config: 1 forces HTTP/1.1, even with an https: URL; 2 forces HTTP/2, which the
 * SDK does not use with an http: URL otherwise.
 * @type {Record<string, Transport>}
 */
export const TRANSPORTS = {
	http1: { flags: [], http: "1.1" },
	h2c: { flags: ["--set", "http2-config=2"], http: "2.0" },
	tls: { flags: ["--tls"], http: "2.0" },
	"tls-http1": { flags: ["--tls", "--set", "http2-config=1"], http: "1.1" },
	gzip: { flags: ["--gzip", "--set", "http2-config=2"], http: "2.0", gzip: true },
};
