// A server in front of the emulator that can respond in its place.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Emulator } from "cursorwire-emulator";
import { closing } from "../kit/cleanup.ts";

export type Respond = (request: IncomingMessage, response: ServerResponse) => void;

export interface Front {
	url: string;
	/** The requested paths in order. */
	seen: string[];
	/** Responds in place of the emulator while set. */
	respond: Respond | undefined;
}

export async function openFront(emulator?: Emulator): Promise<Front> {
	const front: Front = { url: "", seen: [], respond: undefined };
	const server = createServer(async (request, response) => {
		front.seen.push(`${request.method} ${request.url?.split("?")[0]}`);
		if (front.respond !== undefined) return front.respond(request, response);
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk);
		const { authorization, "content-type": type = "application/json" } = request.headers;
		const passed = await fetch(`${emulator!.url}${request.url}`, {
			method: request.method,
			headers: { "content-type": type, ...(authorization && { authorization }) },
			body: request.method === "GET" ? undefined : Buffer.concat(chunks),
		});
		response.writeHead(passed.status, { "content-type": passed.headers.get("content-type") ?? "" });
		response.end(await passed.text());
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	closing({
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	});
	front.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return front;
}

/** A fixed response. The body is sent as JSON unless it is a string. */
export function fixed(status: number, body: unknown = "", headers: Record<string, string> = {}): Respond {
	return (request, response) => {
		request.resume();
		response.writeHead(status, headers);
		response.end(typeof body === "string" ? body : JSON.stringify(body));
	};
}
