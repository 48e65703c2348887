import { randomUUID } from "node:crypto";
import { create, toBinary } from "@bufbuild/protobuf";
import { Code, createClient } from "@connectrpc/connect";
import {
	AiService,
	BidiService,
	ChatService,
	ClientSideToolV2,
	type ClientSideToolV2Call,
	ConversationMessage_MessageType as MessageType,
	StreamChatRequest_Role,
	type StreamUnifiedChatRequestWithTools,
	StreamUnifiedChatRequestWithToolsIdempotentSchema,
	StreamUnifiedChatRequestWithToolsSchema,
	type StreamUnifiedChatResponseWithTools,
} from "@cursorwire/protocol/aiserver";
import { describe, expect, it } from "vitest";
import type { Brain } from "../src/index.ts";
import { useEmulators } from "./kit/emulators.ts";
import { RunClient } from "./kit/run-client.ts";

const start = useEmulators();

const REQUEST = {
	conversation: [{ text: "what is in it?", type: MessageType.HUMAN, bubbleId: "b1" }],
	modelDetails: { modelName: "claude-4.6-sonnet" },
	conversationId: "c1",
	isAgentic: true,
	mcpTools: [{ name: "look", description: "looks", parameters: '{"type":"object"}', serverName: "client" }],
	supportedTools: [ClientSideToolV2.READ_FILE, ClientSideToolV2.MCP],
};

const looks: Brain = async function* (turn) {
	yield { thinking: "let me see. " };
	yield { text: `tools ${turn.tools.map(({ name }) => name)}; ` };
	const [a, b] = yield {
		calls: [
			{ name: "look", arguments: { n: 1 } },
			{ name: "look", arguments: { n: 2 } },
		],
	};
	const read = yield { exec: { kind: "read", args: { path: "a.txt" } } };
	yield { text: `${a.text} ${b.text} ${read.value.contents}` };
};

/** Answers calls as an editor would. */
function resultOf(call: ClientSideToolV2Call) {
	const common = { tool: call.tool, toolCallId: call.toolCallId };
	const result =
		call.params.case === "readFileParams"
			? { case: "readFileResult" as const, value: { contents: `file ${call.params.value.relativeWorkspacePath}` } }
			: { case: "mcpResult" as const, value: { selectedTool: call.name, result: `saw ${call.rawArgs}` } };
	return create(StreamUnifiedChatRequestWithToolsSchema, {
		request: { case: "clientSideToolV2Result", value: { ...common, result } },
	});
}

const first = () =>
	create(StreamUnifiedChatRequestWithToolsSchema, { request: { case: "streamUnifiedChatRequest", value: REQUEST } });

/** Reads a stream of responses, sending results as calls come; returns the text. */
async function converse(
	responses: AsyncIterable<StreamUnifiedChatResponseWithTools>,
	send: (message: StreamUnifiedChatRequestWithTools) => void,
): Promise<string> {
	let text = "";
	for await (const { response } of responses) {
		if (response.case === "clientSideToolV2Call") send(resultOf(response.value));
		if (response.case === "streamUnifiedChatResponse") text += Buffer.from(response.value.text).toString();
	}
	return text;
}

/** A queue that is also an async iterable of what is to be sent. */
function outbox<T>(...initial: T[]) {
	const waiting = [...initial];
	let wake = () => {};
	let closed = false;
	return {
		push(value: T) {
			waiting.push(value);
			wake();
		},
		close() {
			closed = true;
			wake();
		},
		async *[Symbol.asyncIterator]() {
			while (!closed || waiting.length > 0) {
				const next = waiting.shift();
				if (next !== undefined) yield next;
				else
					await new Promise<void>((resolve) => {
						wake = resolve;
					});
			}
		},
	};
}

const EXPECTED = 'tools look; saw {"n":1} saw {"n":2} file a.txt';

describe("unified chat", () => {
	it("StreamUnifiedChatWithTools: calls and results on one stream", async () => {
		const emulator = await start({ brain: looks });
		const client = await RunClient.connect(emulator);
		const sending = outbox(first());
		const responses = createClient(ChatService, client.transport).streamUnifiedChatWithTools(sending, {
			headers: client.headers(),
		});
		expect(await converse(responses, (message) => sending.push(message))).toBe(EXPECTED);
		expect(emulator.stats().runs).toMatchObject({ started: 1, ended: 1, resumedByToolResult: 3 });
		sending.close();
	});

	it("…SSE: results by BidiAppend", async () => {
		const emulator = await start({ brain: looks });
		const client = await RunClient.connect(emulator, { httpVersion: "1.1" });
		const call = { headers: client.headers() };
		const requestId = randomUUID();
		const bidi = createClient(BidiService, client.transport);
		let appendSeqno = 0n;
		const append = (message: StreamUnifiedChatRequestWithTools) => {
			const data = Buffer.from(toBinary(StreamUnifiedChatRequestWithToolsSchema, message)).toString("hex");
			void bidi.bidiAppend({ requestId: { requestId }, appendSeqno: appendSeqno++, data }, call);
		};
		append(first());
		const responses = createClient(ChatService, client.transport).streamUnifiedChatWithToolsSSE({ requestId }, call);
		expect(await converse(responses, append)).toBe(EXPECTED);
	});

	it("StreamUnifiedChat: text and thinking, without tools, in Connect and in grpc-web", async () => {
		const emulator = await start({
			async *brain(turn) {
				yield { thinking: "hm" };
				yield { text: `${turn.prompt} with ${turn.tools.length} tools` };
			},
		});
		for (const grpcWeb of [false, true]) {
			const client = await RunClient.connect(emulator, { httpVersion: "1.1", grpcWeb });
			let text = "";
			let thinking = "";
			for await (const response of createClient(ChatService, client.transport).streamUnifiedChat(REQUEST, {
				headers: client.headers(),
			})) {
				text += Buffer.from(response.text).toString();
				if (response.thinking) thinking += Buffer.from(response.thinking.text).toString();
			}
			expect([text, thinking]).toEqual(["what is in it? with 0 tools", "hm"]);
		}
	});

	it("…Idempotent: a connection cut anywhere is taken up without loss or repetition", async () => {
		const emulator = await start({ brain: looks });
		const client = await RunClient.connect(emulator);
		const chat = createClient(ChatService, client.transport);
		const wrap = (message: StreamUnifiedChatRequestWithTools, seqno: number) =>
			create(StreamUnifiedChatRequestWithToolsIdempotentSchema, {
				request: { case: "clientChunk", value: message },
				seqno,
			});
		for (const cutAfter of [1, 3, 5, 7, 9]) {
			const key = randomUUID();
			const unacknowledged = new Map<number, StreamUnifiedChatRequestWithTools>([[0, first()]]);
			let seqno = 1;
			let lastEvent = "";
			let text = "";
			let received = 0;
			for (let connection = 0; connection < 2; connection++) {
				const sending = outbox(...[...unacknowledged].map(([number, message]) => wrap(message, number)));
				const leave = new AbortController();
				const headers = client.headers({
					"x-idempotency-key": key,
					...(lastEvent && { "x-idempotency-event-id": lastEvent }),
				});
				try {
					for await (const { response } of chat.streamUnifiedChatWithToolsIdempotent(sending, {
						headers,
						signal: leave.signal,
					})) {
						if (response.case === "seqnoAck") unacknowledged.delete(response.value);
						if (response.case !== "serverChunk") continue;
						lastEvent = response.value.eventId;
						const { response: inner } = response.value;
						if (inner.case === "streamUnifiedChatResponse") text += Buffer.from(inner.value.text).toString();
						if (inner.case === "clientSideToolV2Call") {
							unacknowledged.set(seqno, resultOf(inner.value));
							sending.push(wrap(resultOf(inner.value), seqno++));
						}
						if (++received === cutAfter) leave.abort();
					}
				} catch (error) {
					if (!leave.signal.aborted) throw error;
				} finally {
					sending.close();
				}
			}
			expect(text, `cut after ${cutAfter}`).toBe(EXPECTED);
		}
		expect(emulator.stats().runs.started).toBe(5);
	});

	it("asks for other tools by their number, questions among them, and goes on with whatever comes", async () => {
		const emulator = await start({
			async *brain() {
				const strange = yield { exec: { kind: "nothing_known" } };
				const asked = yield { query: { kind: "ask_question_interaction_query" } };
				yield { text: `${strange.error.modelVisibleErrorMessage} ${asked.case}` };
			},
		});
		const client = await RunClient.connect(emulator);
		const sending = outbox(first());
		const seen: ClientSideToolV2[] = [];
		let text = "";
		for await (const { response } of createClient(ChatService, client.transport).streamUnifiedChatWithTools(sending, {
			headers: client.headers(),
		})) {
			if (response.case === "streamUnifiedChatResponse") text += Buffer.from(response.value.text).toString();
			if (response.case !== "clientSideToolV2Call") continue;
			const { tool, toolCallId } = response.value;
			seen.push(tool);
			const error = { clientVisibleErrorMessage: "no", modelVisibleErrorMessage: "no" };
			sending.push(
				create(StreamUnifiedChatRequestWithToolsSchema, {
					request: { case: "clientSideToolV2Result", value: { tool, toolCallId, error } },
				}),
			);
		}
		expect([text, seen]).toEqual(["no error", [900, ClientSideToolV2.ASK_QUESTION]]);
		sending.close();
	});

	it("sends the arguments of a call in pieces where the switch says so", async () => {
		const emulator = await start({
			switches: ["chat-arguments=streamed"],
			async *brain() {
				const [answer] = yield { calls: [{ name: "look", arguments: { at: "ä😀" } }] };
				yield { text: answer.text };
			},
		});
		const client = await RunClient.connect(emulator);
		const sending = outbox(first());
		let pieces = "";
		let text = "";
		for await (const { response } of createClient(ChatService, client.transport).streamUnifiedChatWithTools(sending, {
			headers: client.headers(),
		})) {
			if (response.case === "streamUnifiedChatResponse") text += Buffer.from(response.value.text).toString();
			if (response.case !== "clientSideToolV2Call") continue;
			expect(response.value.isStreaming).toBe(true);
			pieces += response.value.rawArgs;
			if (response.value.isLastMessage) sending.push(resultOf({ ...response.value, rawArgs: pieces }));
		}
		expect([pieces, text]).toEqual(['{"at":"ä😀"}', 'saw {"at":"ä😀"}']);
		sending.close();
	});

	it("…Idempotent: an abort ends the turn, and a stream that is gone is not begun again", async () => {
		const emulator = await start({
			async *brain() {
				yield { hang: "heartbeats" };
			},
			heartbeatMs: 20,
		});
		const client = await RunClient.connect(emulator);
		const chat = createClient(ChatService, client.transport);
		const wrap = (request: object) =>
			create(StreamUnifiedChatRequestWithToolsIdempotentSchema, { request: request as never, seqno: 0 });
		const sending = outbox(wrap({ case: "clientChunk", value: first() }));
		const kinds: unknown[] = [];
		for await (const { response } of chat.streamUnifiedChatWithToolsIdempotent(sending, {
			headers: client.headers({ "x-idempotency-key": "k" }),
		})) {
			kinds.push(response.case);
			if (kinds.length === 6) sending.push(wrap({ case: "abort", value: {} }));
		}
		sending.close();
		expect(kinds.slice(0, 3)).toEqual(["welcomeMessage", "seqnoAck", "serverChunk"]);
		expect(emulator.stats().runs).toMatchObject({ started: 1, ended: 0, cancelled: [{}] });
		const late = outbox(wrap({ case: "clientChunk", value: first() }));
		const headers = client.headers({ "x-idempotency-key": "other", "x-idempotency-event-id": "7" });
		const again = async () => {
			for await (const _ of chat.streamUnifiedChatWithToolsIdempotent(late, { headers }));
		};
		await expect(again()).rejects.toMatchObject({ code: Code.NotFound });
		late.close();
	});

	it("in strict mode wants the editor's headers and whole lists of bubbles", async () => {
		const emulator = await start({ strict: true, brain: "echo" });
		const client = await RunClient.connect(emulator);
		const editor = {
			"x-cursor-checksum": "c",
			"x-cursor-timezone": "UTC",
			"x-client-key": "k",
			"x-cursor-client-version": "2.0.77",
			"x-request-id": "r",
		};
		const ask = async (request: object, headers: Record<string, string>) => {
			try {
				for await (const _ of createClient(ChatService, client.transport).streamUnifiedChat(request, {
					headers: client.headers(headers),
				}));
				return "taken";
			} catch (error) {
				return (error as { rawMessage: string }).rawMessage;
			}
		};
		const whole = { ...REQUEST, fullConversationHeadersOnly: [{ bubbleId: "b1" }] };
		expect(await ask(whole, {})).toMatch(/header x-cursor-checksum is missing/);
		expect(await ask(REQUEST, editor)).toMatch(/full_conversation_headers_only/);
		expect(await ask(whole, editor)).toBe("taken");
	});

	it("spends the account's usage, and refuses when it is spent", async () => {
		const quota = { auto: { limitCents: 1, usedCents: 1 }, api: { limitCents: 1, usedCents: 1 } };
		const emulator = await start({ accounts: { accounts: [{ id: "user_1", acceptAnyKey: true, quota }] } });
		const client = await RunClient.connect(emulator);
		const ask = async () => {
			for await (const _ of createClient(ChatService, client.transport).streamUnifiedChat(REQUEST, {
				headers: client.headers(),
			}));
		};
		await expect(ask()).rejects.toMatchObject({ code: Code.ResourceExhausted });
	});

	it("tells why it is retired, in the words of the switch", async () => {
		const emulator = await start();
		const client = await RunClient.connect(emulator);
		const ask = async () => {
			try {
				for await (const _ of createClient(ChatService, client.transport).streamUnifiedChat(REQUEST, {
					headers: client.headers(),
				}));
			} catch (error) {
				const { code, details } = error as { code: Code; details: { debug: { error: string } }[] };
				return details[0]?.debug.error ?? Code[code];
			}
		};
		const answers: unknown[] = [];
		for (const value of ["update-required", "unsupported-region", "deprecated", "unimplemented"]) {
			emulator.set(`chat-service=${value}`);
			answers.push(await ask());
		}
		expect(answers).toEqual([
			"ERROR_GPT_4_VISION_PREVIEW_RATE_LIMIT",
			"ERROR_UNSUPPORTED_REGION",
			"ERROR_DEPRECATED",
			"Unimplemented",
		]);
	});
});

describe("legacy chat", () => {
	const ask = async (brain: Brain, messages: { content: string; role: StreamChatRequest_Role }[]) => {
		const emulator = await start({ brain });
		const client = await RunClient.connect(emulator, { httpVersion: "1.1" });
		let text = "";
		const request = { messages, instructions: { instruction: "be brief" }, model: { name: "gpt-5.4" } };
		for await (const response of createClient(AiService, client.transport).streamChat(request, {
			headers: client.headers(),
		})) {
			text += Buffer.from(response.text).toString();
		}
		return text;
	};

	it("StreamChat: text in, text out", async () => {
		const { USER, ASSISTANT } = StreamChatRequest_Role;
		const text = await ask(
			async function* (turn) {
				yield { text: `${turn.system} ` };
				yield { text: turn.messages.map(({ role }) => role).join() };
			},
			[
				{ content: "a", role: USER },
				{ content: "b", role: ASSISTANT },
				{ content: "c", role: USER },
			],
		);
		expect(text).toBe("be brief user,assistant,user");
	});

	it("has no tools", async () => {
		const calling = ask(
			async function* () {
				yield { calls: [{ name: "t" }] };
			},
			[{ content: "x", role: StreamChatRequest_Role.USER }],
		);
		await expect(calling).rejects.toMatchObject({ code: Code.Unimplemented });
	});
});
