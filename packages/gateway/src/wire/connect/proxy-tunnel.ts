import { request } from "node:http";
import type { Socket } from "node:net";
import { describeCause, WireError } from "../errors.ts";
import { hostOf, portOf } from "./proxy.ts";

/**
 * Asks the proxy at the other end of `socket` to connect it to the origin (HTTP CONNECT). Afterwards the same socket
 * is the way to the origin; bytes that came right behind the proxy's answer are the first ones to be read from it.
 */
export function openTunnel(socket: Socket, proxy: URL, origin: URL): Promise<void> {
	return new Promise((resolve, reject) => {
		const target = authorityOf(origin);
		const headers: Record<string, string> = { host: target };
		const credentials = basicAuth(proxy);
		if (credentials !== undefined) headers["proxy-authorization"] = credentials;
		const connect = request({ method: "CONNECT", path: target, headers, createConnection: () => socket });
		connect.once("connect", (response, _socket, head: Buffer) => {
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

/** CONNECT always names the port, and wants the brackets of an IPv6 literal. */
function authorityOf(origin: URL): string {
	const host = hostOf(origin);
	return `${host.includes(":") ? `[${host}]` : host}:${portOf(origin)}`;
}

function basicAuth(proxy: URL): string | undefined {
	if (proxy.username === "" && proxy.password === "") return undefined;
	const pair = `${unescaped(proxy.username)}:${unescaped(proxy.password)}`;
	return `Basic ${Buffer.from(pair).toString("base64")}`;
}

/** A password with a bare `%` was not escaped in the first place. */
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
