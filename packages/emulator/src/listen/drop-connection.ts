import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";

/** The TCP connection beneath a TLS one: only that can be reset. */
const beneath = new WeakMap<Socket, Socket>();

export function runsOver(tls: TLSSocket, tcp: Socket): void {
	beneath.set(tls, tcp);
}

/** Ends a connection with a TCP reset, without any goodbye. */
export function dropConnection(socket: Socket | undefined): void {
	if (!socket) return;
	const tcp = beneath.get(socket) ?? socket;
	if (!tcp.destroyed) tcp.resetAndDestroy();
	if (tcp !== socket) socket.destroy();
}
