// A server that answers every run with frames of the test's choice, as fast as they are read.
import { createServer, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { AgentServerMessageSchema } from "@cursorwire/protocol/agent";
import { onTestFinished } from "vitest";
import { encodeEnvelope } from "../../../src/wire/framing/envelope.ts";

type Message = MessageInitShape<typeof AgentServerMessageSchema>["message"];

/** One message of the agent protocol. */
export const agentFrame = (message: Message): Uint8Array =>
	toBinary(AgentServerMessageSchema, create(AgentServerMessageSchema, { message }));
export const agentUpdate = (message: object): Uint8Array =>
	agentFrame({ case: "interactionUpdate", value: { message } } as Message);
export const agentText = (text: string | Uint8Array): Uint8Array =>
	agentUpdate({ case: "textDelta", value: { text: typeof text === "string" ? Buffer.from(text) : text } });
export const END_STREAM = encodeEnvelope(2, Buffer.from("{}"));

export interface FrameServer {
	origin: URL;
	/** Streams that are open on the server. */
	open(): number;
	opened(): number;
	/** Bytes that were handed to the network, of all streams. */
	sent(): number;
	/** RST_STREAM codes as they came in. */
	resets: number[];
}

export interface FrameServerOptions {
	/** Does not read what the client sends. */
	isDeaf?: boolean;
	maxConcurrentStreams?: number;
	status?: number;
	contentType?: string;
}

/** `answer` yields raw bytes of a response body; the body stays open behind the last of them. */
export async function frameServer(
	answer: (stream: ServerHttp2Stream, index: number) => Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
	{
		isDeaf,
		maxConcurrentStreams = 100,
		status = 200,
		contentType = "application/connect+proto",
	}: FrameServerOptions = {},
): Promise<FrameServer> {
	let open = 0;
	let opened = 0;
	let sent = 0;
	const resets: number[] = [];
	const server = createServer({ settings: { maxConcurrentStreams } });
	server.on("session", (session) => session.on("error", () => {}));
	server.on("stream", async (stream) => {
		const index = opened++;
		open++;
		stream.on("error", () => {});
		stream.on("close", () => {
			open--;
			resets.push(stream.rstCode);
		});
		if (!isDeaf) stream.resume();
		stream.respond({ ":status": status, "content-type": contentType });
		for await (const bytes of answer(stream, index)) {
			if (stream.destroyed) return;
			sent += bytes.length;
			if (!stream.write(bytes)) await roomIn(stream);
		}
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	const origin = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
	return { origin, open: () => open, opened: () => opened, sent: () => sent, resets };
}

function roomIn(stream: ServerHttp2Stream): Promise<void> {
	return new Promise((resolve) => {
		stream.once("drain", resolve);
		stream.once("close", resolve);
	});
}
