import { randomUUID } from "node:crypto";
import { create, toBinary } from "@bufbuild/protobuf";
import { type Client, createClient } from "@connectrpc/connect";
import { AgentClientMessageSchema, AgentService } from "@cursorwire/protocol/agent";
import { BidiService } from "@cursorwire/protocol/aiserver";
import { describe, expect, it } from "vitest";
import type { Emulator } from "../src/index.ts";
import { useEmulators } from "./kit/emulators.ts";
import { type ClientMessage, RunClient } from "./kit/run-client.ts";

const start = useEmulators();

const bytes = (message: ClientMessage) =>
	Buffer.from(toBinary(AgentClientMessageSchema, create(AgentClientMessageSchema, { message })));
const START = bytes({
	case: "runRequest",
	value: {
		conversationState: {},
		action: { action: { case: "userMessageAction", value: { userMessage: { text: "in order" }, requestContext: {} } } },
		mcpTools: {},
		conversationId: "c",
		requestedModel: { modelId: "composer-1" },
	},
});
const BEAT = bytes({ case: "clientHeartbeat", value: {} });

async function open(emulator: Emulator) {
	const client = await RunClient.connect(emulator, { httpVersion: "1.1" });
	const bidi: Client<typeof BidiService> = createClient(BidiService, client.transport);
	const requestId = randomUUID();
	const headers = client.headers({ "x-request-id": requestId });
	return {
		append: (seqno: number, body: { data?: string; dataBinary?: Uint8Array }) =>
			bidi.bidiAppend({ requestId: { requestId }, appendSeqno: BigInt(seqno), ...body }, { headers }),
		/** Reads the stream; blob writes are never answered, so it is left once the text is complete. */
		async read(): Promise<string> {
			const leave = new AbortController();
			let text = "";
			try {
				for await (const { message } of createClient(AgentService, client.transport).runSSE(
					{ requestId },
					{ headers, signal: leave.signal },
				)) {
					const update = message.case === "interactionUpdate" ? message.value.message : undefined;
					if (update?.case === "textDelta") text += Buffer.from(update.value.text).toString();
					if (message.case === "kvServerMessage") leave.abort();
				}
			} catch (error) {
				if (!leave.signal.aborted) throw error;
			}
			return text;
		},
	};
}

describe("BidiAppend", () => {
	it("puts appends in order by their number", async () => {
		const emulator = await start({ brain: "echo" });
		const { append, read } = await open(emulator);
		const reading = read();
		await append(2, { data: BEAT.toString("hex") });
		await append(1, { data: BEAT.toString("hex") });
		await append(0, { data: START.toString("hex") });
		expect(await reading).toBe("in order");
		expect(emulator.stats().appends).toMatchObject({ received: 3, outOfOrder: 2 });
	});

	it("keeps appends that arrive before their stream", async () => {
		const emulator = await start({ brain: "echo" });
		const { append, read } = await open(emulator);
		await append(0, { data: START.toString("hex") });
		expect(await read()).toBe("in order");
		expect(emulator.stats().appends.beforeStream).toBe(1);
	});

	it("takes raw bytes as well as hex, and counts a repeated number once", async () => {
		const emulator = await start({ brain: "echo" });
		const { append, read } = await open(emulator);
		await append(0, { dataBinary: START });
		await append(0, { dataBinary: START });
		expect(await read()).toBe("in order");
		expect(emulator.stats()).toMatchObject({ appends: { duplicate: 1 }, runs: { started: 1 } });
	});

	it("refuses what is not hex, and upper case when strict", async () => {
		const generous = await open(await start({ brain: "echo" }));
		await expect(generous.append(0, { data: "xyz" })).rejects.toThrow(/not hex/);
		await generous.append(0, { data: START.toString("hex").toUpperCase() });
		expect(await generous.read()).toBe("in order");
		const strict = await open(await start({ brain: "echo", strict: true }));
		await expect(strict.append(0, { data: START.toString("hex").toUpperCase() })).rejects.toThrow(/lower-case/);
	});
});
