// The ways on which the SDK reaches the emulator. The SDK itself is told nothing but the URL.

/**
 * @typedef {object} Transport
 * @property {string[]} flags what it asks of the emulator
 * @property {"1.1" | "2.0"} http the HTTP version of the run's calls
 * @property {boolean} [gzip] whether the server's messages are compressed
 */

/**
 * `http2-config` is GetServerConfig.http2_config: 1 forces HTTP/1.1, also on an https: URL; 2 forces HTTP/2, and is the
 * only way in which the SDK speaks it to an http: URL.
 * @type {Record<string, Transport>}
 */
export const TRANSPORTS = {
	http1: { flags: [], http: "1.1" },
	h2c: { flags: ["--set", "http2-config=2"], http: "2.0" },
	tls: { flags: ["--tls"], http: "2.0" },
	"tls-http1": { flags: ["--tls", "--set", "http2-config=1"], http: "1.1" },
	gzip: { flags: ["--gzip", "--set", "http2-config=2"], http: "2.0", gzip: true },
};
