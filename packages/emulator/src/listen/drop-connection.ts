import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";

/** The TCP connection below each TLS connection. Only the TCP connection can be reset. */
const beneath = new WeakMap<Socket, Socket>();

export function runsOver(tls: TLSSocket, tcp: Socket): void {
	beneath.set(tls, tcp);
}

/** Ends a connection with a TCP reset. */
export function dropConnection(socket: Socket | undefined): void {
	if (!socket) return;
	const tcp = socket instanceof TLSSocket ? beneath.get(socket) : socket;
	if (tcp && !tcp.destroyed) tcp.resetAndDestroy();
	socket.destroy();
}
