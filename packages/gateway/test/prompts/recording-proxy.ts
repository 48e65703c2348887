// Stands between a client and the gateway, and writes down what each says to the other.
import { request as connect, createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Exchange } from "./client-request.ts";

export async function startRecordingProxy(target: string): Promise<{ url: string; exchanges: Exchange[] }> {
	const exchanges: Exchange[] = [];
	const server = createServer(async (incoming, outgoing) => {
		const body = await textOf(incoming);
		const { pathname: path } = new URL(incoming.url!, target);
		const { host: _, ...headers } = incoming.headers;
		const forwarded = connect(new URL(incoming.url!, target), { method: incoming.method, headers }, (response) => {
			const exchange: Exchange = { path, body: parsed(body), status: response.statusCode!, answer: "" };
			exchanges.push(exchange);
			outgoing.writeHead(response.statusCode!, response.headers);
			response.setEncoding("utf8").on("data", (chunk: string) => {
				exchange.answer += chunk;
			});
			response.pipe(outgoing);
		});
		// Whoever leaves takes the other with him.
		outgoing.on("close", () => forwarded.destroy());
		forwarded.on("error", () => outgoing.destroy());
		forwarded.end(body);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, exchanges };
}

async function textOf(incoming: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of incoming) chunks.push(chunk);
	return Buffer.concat(chunks).toString("utf8");
}

function parsed(body: string): unknown {
	return body === "" ? undefined : JSON.parse(body);
}
