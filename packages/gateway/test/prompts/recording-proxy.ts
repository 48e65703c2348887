// Stands between a client and the gateway, and writes down what each says to the other.
import { request as connect, createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect as connectSocket } from "node:net";
import { onTestFinished } from "vitest";
import { ClientFrames } from "../kit/client-frames.ts";
import type { Exchange } from "./client-request.ts";

/** A message that a client sent over a WebSocket. */
export interface SentMessage {
	bytes: number;
	// biome-ignore lint/suspicious/noExplicitAny: whatever the client says
	body: any;
}

export interface RecordingProxy {
	url: string;
	exchanges: Exchange[];
	sent: SentMessage[];
}

export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
	const exchanges: Exchange[] = [];
	const sent: SentMessage[] = [];
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
	server.on("upgrade", (incoming, stream, first) => {
		const { hostname, port, host } = new URL(target);
		const gateway = connectSocket(Number(port), hostname);
		const headers = Object.entries({ ...incoming.headers, host }).map(([name, value]) => `${name}: ${value}\r\n`);
		gateway.write(`GET ${incoming.url} HTTP/1.1\r\n${headers.join("")}\r\n`);
		const frames = new ClientFrames((text) => sent.push({ bytes: Buffer.byteLength(text), body: parsed(text) }));
		const forward = (chunk: Buffer) => {
			gateway.write(chunk);
			frames.add(chunk);
		};
		forward(first);
		stream.on("data", forward);
		gateway.pipe(stream);
		for (const [one, other] of [
			[stream, gateway],
			[gateway, stream],
		] as const) {
			one.on("close", () => other.destroy()).on("error", () => other.destroy());
		}
		onTestFinished(() => void gateway.destroy());
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, exchanges, sent };
}

async function textOf(incoming: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of incoming) chunks.push(chunk);
	return Buffer.concat(chunks).toString("utf8");
}

function parsed(body: string): unknown {
	return body === "" ? undefined : JSON.parse(body);
}
