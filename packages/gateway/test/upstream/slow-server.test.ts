import { expect, it } from "vitest";
import { H2DuplexChannel } from "../../src/upstream/channels/h2-duplex.ts";
import { MOST_UNSENT_BYTES } from "../../src/upstream/channels/read-half.ts";
import { createConnector } from "../../src/wire/connect/connector.ts";
import { encodeEnvelope } from "../../src/wire/framing/envelope.ts";
import { H2Pool } from "../../src/wire/h2/h2-pool.ts";
import { closing, until } from "../kit/cleanup.ts";
import { END_STREAM, frameServer } from "../kit/network/frame-server.ts";

const ANSWER = new Uint8Array(1 << 20);
const QUESTIONS = 300;

/** Asks for a megabyte with a few bytes, all at once, and reads none of the answers until it is told to. */
async function ask() {
	let listen = () => {};
	const server = await frameServer(
		function* (stream) {
			listen = () => stream.resume();
			yield Buffer.concat(new Array(QUESTIONS).fill(encodeEnvelope(0, Buffer.from("?"))));
			yield END_STREAM;
		},
		{ isDeaf: true },
	);
	const transport = closing(new H2Pool({ connect: createConnector() }));
	let questions = 0;
	let end: string | undefined;
	const channel = new H2DuplexChannel(transport, "/run").open(
		{ origin: server.origin, key: "", headers: {}, renewHeaders: async () => ({}) },
		Buffer.from("first"),
		{
			message: () => {
				questions++;
				channel.send(ANSWER);
			},
			batchEnd: () => {},
			ended: ({ kind }) => {
				end = kind;
			},
		},
	);
	return { channel, questions: () => questions, end: () => end, listen: () => listen() };
}

it("a server that asks and does not read is answered as far as there is room, and the rest when it reads", async () => {
	const { questions, end, listen } = await ask();
	const most = MOST_UNSENT_BYTES / ANSWER.length + 2;
	await until(() => questions() >= MOST_UNSENT_BYTES / ANSWER.length);
	for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve));
	expect(questions()).toBeLessThanOrEqual(most);
	listen();
	await until(() => end() === "complete");
	expect(questions()).toBe(QUESTIONS);
});

it("what is held back is let go with the run", async () => {
	const { channel, questions } = await ask();
	await until(() => questions() >= MOST_UNSENT_BYTES / ANSWER.length);
	const before = questions();
	channel.cancel();
	for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve));
	expect(questions()).toBe(before);
});
