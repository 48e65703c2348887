import { request } from "node:http";
import type { Socket } from "node:net";
import { describeCause, WireError } from "../errors.ts";
import { hostOf, portOf } from "./proxy.ts";

/**
 * Asks the proxy at the other end of `socket` for a tunnel to the origin (CONNECT, RFC 9110 section 9.3.6). Afterwards
 * the same socket leads to the origin, and bytes that followed the proxy's response are the first to be read from it.
 */
export function openTunnel(socket: Socket, proxy: URL, origin: URL): Promise<void> {
	return new Promise((resolve, reject) => {
		const target = authorityOf(origin);
		const headers: Record<string, string> = { host: target };
		const credentials = basicAuth(proxy);
		if (credentials !== undefined) headers["proxy-authorization"] = credentials;
		const connect = request({ method: "CONNECT", path: target, headers, createConnection: () => socket });
		connect.once("connect", (response, _socket, head: Buffer) => {
			// Any 2xx status means that the tunnel is open.
			const status = response.statusCode ?? 0;
			if (status < 200 || status > 299) {
				socket.destroy();
				const text = `the proxy ${proxy.host} refused the tunnel with status ${status}`;
				reject(new WireError("proxy-refused", text, { status, safeToRetry: true }));
				return;
			}
			if (head.length > 0) socket.unshift(head);
			resolve();
		});
		connect.once("error", (cause) => reject(tunnelFailure(cause, proxy)));
		connect.end();
	});
}

/** The target of CONNECT always has a port, and brackets around an IPv6 address (RFC 9112 section 3.2.3). */
function authorityOf(origin: URL): string {
	const host = hostOf(origin);
	return `${host.includes(":") ? `[${host}]` : host}:${portOf(origin)}`;
}

/** RFC 7617. */
function basicAuth(proxy: URL): string | undefined {
	if (proxy.username === "" && proxy.password === "") return undefined;
	const pair = `${unescaped(proxy.username)}:${unescaped(proxy.password)}`;
	return `Basic ${Buffer.from(pair).toString("base64")}`;
}

/** A text with a bare `%` was not escaped at all, so it is used as it is. */
function unescaped(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

function tunnelFailure(cause: Error, proxy: URL): WireError {
	if (cause instanceof WireError) return cause;
	const text = `no tunnel through the proxy ${proxy.host}: ${describeCause(cause)}`;
	return new WireError("connect-failed", text, { cause, safeToRetry: true });
}
