// A proxy that lets nothing out. Agents that phone home are told no at once; a dead address they would try again and again.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export async function startRefusingProxy(): Promise<string> {
	const server = createServer((_request, response) => response.writeHead(403).end());
	server.on("connect", (_request, socket) => {
		socket.on("error", () => {});
		socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
