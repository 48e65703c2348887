import { BlockList, isIP, isIPv4 } from "node:net";
import { WireError } from "../errors.ts";

/** Proxy settings in the form of the usual environment variables. */
export interface ProxySettings {
	/** Proxy for `https:` origins. */
	httpsProxy?: string;
	/** Proxy for `http:` origins. */
	httpProxy?: string;
	/** Separated by commas or spaces: `*`, names (with their subdomains), `host:port`, addresses, CIDR blocks. */
	noProxy?: string;
}

/** The proxy for an origin; undefined means a direct connection. */
export function chooseProxy(origin: URL, settings: ProxySettings): URL | undefined {
	const proxy = origin.protocol === "https:" ? settings.httpsProxy : settings.httpProxy;
	if (proxy === undefined || proxy.trim() === "") return undefined;
	const host = hostOf(origin);
	if (isLoopback(host) || isExcluded(host, portOf(origin), settings.noProxy ?? "")) return undefined;
	return parseProxy(proxy.trim());
}

/** Host name or address without the brackets of an IPv6 literal. */
export function hostOf(url: URL): string {
	return url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname;
}

/** The port, or the default of the scheme if the URL has none. */
export function portOf(url: URL): number {
	if (url.port !== "") return Number(url.port);
	return url.protocol === "https:" ? 443 : 80;
}

function parseProxy(text: string): URL {
	// `host:port` without a scheme is common in the environment and means an HTTP proxy.
	const withScheme = text.includes("://") ? text : `http://${text}`;
	const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined;
	if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
		// The message does not quote the text, which may contain a password.
		throw new WireError("bad-proxy-url", "the proxy is not an http:// or https:// URL", { safeToRetry: true });
	}
	return url;
}

function isLoopback(host: string): boolean {
	if (host === "localhost" || host.endsWith(".localhost")) return true;
	return isIP(host) !== 0 && LOOPBACK.check(host, familyOf(host));
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

function isExcluded(host: string, port: number, noProxy: string): boolean {
	return noProxy
		.split(/[\s,]+/)
		.filter((entry) => entry !== "")
		.some((entry) => matches(entry.toLowerCase(), host, port));
}

function matches(entry: string, host: string, port: number): boolean {
	if (entry === "*") return true;
	if (entry.includes("/")) return isInBlock(entry, host);
	const { name, port: onlyPort } = splitPort(entry);
	if (onlyPort !== undefined && onlyPort !== port) return false;
	if (isIP(host) !== 0) return isIP(name) !== 0 && sameAddress(name, host);
	const domain = name.replace(/^\*?\./, "");
	return host === domain || host.endsWith(`.${domain}`);
}

function splitPort(entry: string): { name: string; port?: number } {
	const bracketed = /^\[([^\]]+)\](?::(\d+))?$/.exec(entry);
	const plain = /^([^:]+):(\d+)$/.exec(entry);
	const [, name, port] = bracketed ?? plain ?? [];
	// Neither form: a bare name, or a bare IPv6 address, whose colons do not separate a port.
	if (name === undefined) return { name: entry };
	return port === undefined ? { name } : { name, port: Number(port) };
}

function isInBlock(entry: string, host: string): boolean {
	const [network = "", prefix = ""] = entry.split("/");
	if (isIP(host) === 0 || isIP(network) === 0 || !/^\d{1,3}$/.test(prefix)) return false;
	if (Number(prefix) > (isIPv4(network) ? 32 : 128)) return false;
	const block = new BlockList();
	block.addSubnet(network, Number(prefix), familyOf(network));
	return block.check(host, familyOf(host));
}

/** Compares values, not spellings: `::1` and `0:0::1` are the same address. */
function sameAddress(one: string, other: string): boolean {
	const list = new BlockList();
	list.addAddress(one, familyOf(one));
	return list.check(other, familyOf(other));
}

function familyOf(address: string): "ipv4" | "ipv6" {
	return isIPv4(address) ? "ipv4" : "ipv6";
}
