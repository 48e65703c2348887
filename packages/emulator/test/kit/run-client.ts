import { createHash, randomUUID } from "node:crypto";
import { Agent as HttpsAgent } from "node:https";
import type { Socket } from "node:net";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { type CallOptions, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import {
	type AgentClientMessage,
	AgentClientMessageSchema,
	type AgentRunRequestSchema,
	type AgentServerMessage,
	AgentService,
	type ConversationStateStructure,
	type ExecServerMessage,
	type InteractionQuery,
	type InteractionUpdate,
} from "@cursorwire/protocol/agent";
import { BidiService } from "@cursorwire/protocol/aiserver";
import type { Emulator } from "../../src/index.ts";
import { callOver } from "./call-over.ts";

export type ClientMessage = NonNullable<MessageInitShape<typeof AgentClientMessageSchema>["message"]>;
type Carrier = "Run" | "RunSSE";

type RunRequestInit = Exclude<MessageInitShape<typeof AgentRunRequestSchema>, { $typeName: string }>;

export interface RunOptions {
	prompt?: string;
	/** A resume instead of a message. */
	resume?: boolean;
	state?: ConversationStateStructure | "absent";
	model?: string;
	/** More fields of the run request, or others in place of the usual ones. */
	request?: Partial<RunRequestInit>;
	tools?: { name: string; description?: string; schema?: unknown }[];
	carrier?: Carrier;
	headers?: Record<string, string>;
	signal?: AbortSignal;
	/** Answers an exec; undefined leaves it open. Default: throw "no handler". */
	onExec?: (exec: ExecServerMessage) => ClientMessage[] | undefined | Promise<ClientMessage[] | undefined>;
	onQuery?: (query: InteractionQuery) => ClientMessage[];
	onUpdate?: (update: InteractionUpdate["message"], send: (message: ClientMessage) => void) => void;
	/** Sees checkpoints also of a run that fails later. */
	onCheckpoint?: (state: ConversationStateStructure) => void;
}

export interface RunOutcome {
	text: string;
	thinking: string;
	updates: InteractionUpdate["message"][];
	checkpoints: ConversationStateStructure[];
	execs: ExecServerMessage[];
	/** Ids of execs that the server told the client to stop. */
	aborted: number[];
	turnEnded: boolean;
	usage: { input: number; output: number } | undefined;
}

/** Node leaves Nagle's algorithm on under TLS, which costs 40 ms for each body behind its headers. */
class UndelayedAgent extends HttpsAgent {
	override createConnection(...args: unknown[]): Socket {
		// biome-ignore lint/suspicious/noExplicitAny: the types of Node 20 leave this method out
		const socket = (HttpsAgent.prototype as any).createConnection.apply(this, args) as Socket;
		return socket.setNoDelay(true);
	}
}

/** A client built on Connect's own implementation, so that the emulator is never tested against its own framing. */
export class RunClient {
	readonly blobs = new Map<string, Uint8Array>();
	readonly #emulator: Emulator;
	readonly #transport: Transport;
	token: string;

	private constructor(emulator: Emulator, transport: Transport, token: string) {
		this.#emulator = emulator;
		this.#transport = transport;
		this.token = token;
	}

	static async connect(
		emulator: Emulator,
		options: { httpVersion?: "1.1" | "2"; grpcWeb?: boolean; key?: string } = {},
	): Promise<RunClient> {
		const { httpVersion = "2" } = options;
		const nodeOptions = {
			...(emulator.ca && { ca: emulator.ca }),
			...(emulator.ca && httpVersion === "1.1" && { agent: new UndelayedAgent({ keepAlive: true }) }),
		};
		const settings = { baseUrl: emulator.url, httpVersion, nodeOptions } as const;
		const transport = options.grpcWeb ? createGrpcWebTransport(settings) : createConnectTransport(settings);
		return new RunClient(emulator, transport, await accessToken(emulator, options.key));
	}

	get transport(): Transport {
		return this.#transport;
	}

	headers(extra: Record<string, string> = {}): Record<string, string> {
		return {
			authorization: `Bearer ${this.token}`,
			"x-cursor-client-type": "cli",
			"x-cursor-client-version": "cli-2026.08.11-e8db854",
			"x-ghost-mode": "true",
			...extra,
		};
	}

	/** Puts a blob where the server will ask for it, and returns its id. */
	keep(data: Uint8Array): Uint8Array {
		const id = createHash("sha256").update(data).digest();
		this.blobs.set(id.toString("hex"), data);
		return id;
	}

	async run(options: RunOptions = {}): Promise<RunOutcome> {
		const requestId = randomUUID();
		const headers = this.headers({
			"x-request-id": requestId,
			"x-original-request-id": requestId,
			...options.headers,
		});
		const outbox = new Outbox();
		outbox.push({ case: "runRequest", value: runRequest(options, requestId) });
		const call: CallOptions = { headers, signal: options.signal };
		const messages =
			options.carrier === "RunSSE" ? this.#overSse(requestId, outbox, call) : this.#overDuplex(outbox, call);
		return this.#collect(messages, outbox, options);
	}

	#overDuplex(outbox: Outbox, call: CallOptions): AsyncIterable<AgentServerMessage> {
		return createClient(AgentService, this.#transport).run(outbox, call);
	}

	#overSse(requestId: string, outbox: Outbox, call: CallOptions): AsyncIterable<AgentServerMessage> {
		const bidi = createClient(BidiService, this.#transport);
		void (async () => {
			let appendSeqno = 0n;
			for await (const message of outbox) {
				const data = Buffer.from(toBinary(AgentClientMessageSchema, message)).toString("hex");
				await bidi.bidiAppend({ requestId: { requestId }, appendSeqno: appendSeqno++, data }, call).catch(() => {});
			}
		})();
		return createClient(AgentService, this.#transport).runSSE({ requestId }, call);
	}

	async #collect(
		messages: AsyncIterable<AgentServerMessage>,
		outbox: Outbox,
		options: RunOptions,
	): Promise<RunOutcome> {
		const outcome: RunOutcome = {
			text: "",
			thinking: "",
			updates: [],
			checkpoints: [],
			execs: [],
			aborted: [],
			turnEnded: false,
			usage: undefined,
		};
		const text: Uint8Array[] = [];
		try {
			for await (const { message } of messages) {
				if (message.case === "interactionUpdate") {
					const update = message.value.message;
					outcome.updates.push(update);
					options.onUpdate?.(update, (answer) => outbox.push(answer));
					if (update.case === "textDelta") text.push(update.value.text);
					if (update.case === "thinkingDelta") outcome.thinking += Buffer.from(update.value.text).toString();
					if (update.case === "turnEnded") {
						outcome.turnEnded = true;
						outcome.usage = { input: Number(update.value.inputTokens), output: Number(update.value.outputTokens) };
					}
				} else if (message.case === "kvServerMessage") {
					outbox.push(this.#answerKv(message.value));
				} else if (message.case === "conversationCheckpointUpdate") {
					outcome.checkpoints.push(message.value);
					options.onCheckpoint?.(message.value);
				} else if (message.case === "execServerMessage") {
					outcome.execs.push(message.value);
					void this.#answerExec(message.value, outbox, options);
				} else if (message.case === "execServerControlMessage") {
					if (message.value.message.case === "abort") outcome.aborted.push(message.value.message.value.id);
				} else if (message.case === "interactionQuery") {
					for (const answer of options.onQuery?.(message.value) ?? []) outbox.push(answer);
				}
			}
		} finally {
			outbox.close();
			outcome.text = Buffer.concat(text).toString("utf8");
		}
		return outcome;
	}

	#answerKv(kv: Extract<AgentServerMessage["message"], { case: "kvServerMessage" }>["value"]): ClientMessage {
		const { id, message } = kv;
		if (message.case === "setBlobArgs") {
			this.blobs.set(Buffer.from(message.value.blobId).toString("hex"), message.value.blobData);
			return { case: "kvClientMessage", value: { id, message: { case: "setBlobResult", value: {} } } };
		}
		const blobData =
			message.case === "getBlobArgs" ? this.blobs.get(Buffer.from(message.value.blobId).toString("hex")) : undefined;
		return { case: "kvClientMessage", value: { id, message: { case: "getBlobResult", value: { blobData } } } };
	}

	async #answerExec(exec: ExecServerMessage, outbox: Outbox, options: RunOptions): Promise<void> {
		if (exec.message.case === "requestContextArgs") {
			const tools = toolDefinitions(options.tools ?? []);
			return outbox.push(
				execResult(exec, {
					case: "requestContextResult",
					value: { result: { case: "success", value: { requestContext: { tools } } } },
				}),
			);
		}
		const answers = await (options.onExec ?? throwing)(exec);
		for (const answer of answers ?? []) outbox.push(answer);
	}

	get emulator(): Emulator {
		return this.#emulator;
	}
}

export function execResult(
	exec: ExecServerMessage,
	message: Extract<ClientMessage, { case: "execClientMessage" }>["value"]["message"],
): ClientMessage {
	return { case: "execClientMessage", value: { id: exec.id, message } };
}

export function streamClose(exec: ExecServerMessage): ClientMessage {
	return {
		case: "execClientControlMessage",
		value: { message: { case: "streamClose", value: { id: exec.id } } },
	};
}

function throwing(exec: ExecServerMessage): ClientMessage[] {
	const value = { id: exec.id, error: `no handler for ${exec.message.case}` };
	return [{ case: "execClientControlMessage", value: { message: { case: "throw", value } } }];
}

export function textResult(exec: ExecServerMessage, text: string): ClientMessage[] {
	const content = [{ content: { case: "text" as const, value: { text } } }];
	return [
		execResult(exec, { case: "mcpResult", value: { result: { case: "success", value: { content } } } }),
		streamClose(exec),
	];
}

export async function accessToken(emulator: Emulator, key = "key_demo"): Promise<string> {
	const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
	const { body } = await callOver(emulator, "POST", "/auth/exchange_user_api_key", "{}", headers);
	return (JSON.parse(body) as { accessToken: string }).accessToken;
}

/** Plain HTTP/1.1 calls; the test emulators with TLS are asked over Connect only. */
export function fetchFrom(emulator: Emulator, path: string, init?: RequestInit): Promise<Response> {
	return fetch(`${emulator.url}${path}`, init);
}

function toolDefinitions(tools: NonNullable<RunOptions["tools"]>) {
	return tools.map(({ name, description = "", schema = { type: "object" } }) => ({
		name,
		description,
		toolName: name,
		providerIdentifier: "test",
		inputSchemaJson: JSON.stringify(schema),
	}));
}

function runRequest(options: RunOptions, runId: string): RunRequestInit {
	const state = options.state === "absent" ? undefined : (options.state ?? {});
	return {
		conversationState: state,
		action: {
			action: options.resume
				? { case: "resumeAction", value: {} }
				: {
						case: "userMessageAction",
						value: { userMessage: { text: options.prompt ?? "hello", messageId: randomUUID() } },
					},
		},
		mcpTools: { mcpTools: toolDefinitions(options.tools ?? []) },
		conversationId: "conversation-1",
		requestedModel: { modelId: options.model ?? "composer-1" },
		runId,
		...options.request,
	};
}

/** Messages to be sent, as an async iterable that stays open until it is closed. */
class Outbox implements AsyncIterable<AgentClientMessage> {
	readonly #waiting: AgentClientMessage[] = [];
	#wake: (() => void) | undefined;
	#closed = false;

	push(message: ClientMessage): void {
		this.#waiting.push(create(AgentClientMessageSchema, { message }));
		this.#wake?.();
	}

	close(): void {
		this.#closed = true;
		this.#wake?.();
	}

	async *[Symbol.asyncIterator]() {
		for (;;) {
			const next = this.#waiting.shift();
			if (next) yield next;
			else if (this.#closed) return;
			else
				await new Promise<void>((resolve) => {
					this.#wake = resolve;
				});
		}
	}
}
