import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
	type ClientSideToolV2CallSchema,
	type ClientSideToolV2Result,
	type StreamedBackToolCallSchema,
	type StreamUnifiedChatRequest,
	type StreamUnifiedChatRequestWithTools,
	type StreamUnifiedChatResponseSchema,
	type StreamUnifiedChatResponseWithTools,
	StreamUnifiedChatResponseWithToolsSchema,
} from "@cursorwire/protocol/aiserver";
import type { Backend } from "../backend.ts";
import { ClientGone } from "../bidi/client-gone.ts";
import { UNKNOWN_CALL } from "../faults/older-frames.ts";
import type { RpcFailure } from "../rpc/failure.ts";

/** A stream of the unified protocol in decoded messages, whichever RPC and wrapper carry it. */
export interface UnifiedTransport {
	readonly headers: Record<string, string>;
	readonly clientGone: AbortSignal;
	/** False for StreamUnifiedChat, which has no way back for tool results. */
	readonly takesToolResults: boolean;
	receive(): Promise<StreamUnifiedChatRequestWithTools | undefined>;
	send(message: StreamUnifiedChatResponseWithTools): void;
	ready(): Promise<void>;
	/** Whether an injected fault of this name has struck the stream. */
	struck(fault: string): boolean;
	end(failure?: RpcFailure): void;
	drop(): void;
}

/** Sends the server's messages and matches tool results to calls. */
export class UnifiedLink {
	readonly transport: UnifiedTransport;
	readonly #pending = new Map<string, { resolve(result: ClientSideToolV2Result): void; reject(error: Error): void }>();
	readonly #backend: Backend;
	#unknownAnswers = 0;
	#wakeForUnknown = () => {};
	#events = 0;

	constructor(transport: UnifiedTransport, backend: Backend) {
		this.transport = transport;
		this.#backend = backend;
	}

	/** The first message. After it only tool results are expected. */
	async request(): Promise<StreamUnifiedChatRequest | undefined> {
		const first = await this.transport.receive();
		const request = first?.request.case === "streamUnifiedChatRequest" ? first.request.value : undefined;
		void this.#readResults();
		return request;
	}

	say(response: MessageInitShape<typeof StreamUnifiedChatResponseSchema>): void {
		this.#send({ case: "streamUnifiedChatResponse", value: response });
	}

	/** Shows that the server is alive while there is nothing to say: the protocol has no heartbeats. */
	alive(): void {
		this.say({ statusUpdates: { updates: [{ message: "working" }] } });
	}

	/** Resolves once the client has answered every call of an unknown tool that a fault has sent. */
	async unknownCallsAnswered(): Promise<void> {
		const { transport } = this;
		if (!transport.takesToolResults) return;
		const asked = ["unknown-exec", "unknown-query"].filter((fault) => transport.struck(fault)).length;
		while (this.#unknownAnswers < asked) {
			await new Promise<void>((resolve, reject) => {
				this.#wakeForUnknown = resolve;
				transport.clientGone.addEventListener("abort", () => reject(new ClientGone()), { once: true });
			});
		}
	}

	/** A piece of a call's arguments, sent before the call itself. */
	piece(call: MessageInitShape<typeof ClientSideToolV2CallSchema>): void {
		this.#send({ case: "clientSideToolV2Call", value: call });
	}

	start(): void {
		this.#send({ case: "streamStart", value: {} });
	}

	/** Shows a call without asking for it, and still waits for its result. */
	showOnly(
		toolCall: MessageInitShape<typeof StreamedBackToolCallSchema> & { toolCallId: string },
	): Promise<ClientSideToolV2Result> {
		return this.#awaiting(toolCall.toolCallId, () => this.say({ toolCall }));
	}

	call(
		call: MessageInitShape<typeof ClientSideToolV2CallSchema> & { toolCallId: string },
	): Promise<ClientSideToolV2Result> {
		return this.#awaiting(call.toolCallId, () => this.#send({ case: "clientSideToolV2Call", value: call }));
	}

	#awaiting(toolCallId: string, send: () => void): Promise<ClientSideToolV2Result> {
		return new Promise((resolve, reject) => {
			if (this.transport.clientGone.aborted) reject(new ClientGone());
			this.#pending.set(toolCallId, { resolve, reject });
			send();
		});
	}

	#send(response: MessageInitShape<typeof StreamUnifiedChatResponseWithToolsSchema>["response"]): void {
		const eventId = String(++this.#events);
		this.#backend.stats.frames.sent += 1;
		this.transport.send(create(StreamUnifiedChatResponseWithToolsSchema, { response, eventId }));
	}

	async #readResults(): Promise<void> {
		const fail = () => {
			for (const waiter of this.#pending.values()) waiter.reject(new ClientGone());
			this.#pending.clear();
		};
		this.transport.clientGone.addEventListener("abort", fail, { once: true });
		for (let next = await this.transport.receive(); next; next = await this.transport.receive()) {
			this.#backend.stats.frames.received += 1;
			if (next.request.case !== "clientSideToolV2Result") continue;
			const result = next.request.value;
			if (result.toolCallId.startsWith(UNKNOWN_CALL)) this.#answeredUnknown();
			this.#pending.get(result.toolCallId)?.resolve(result);
			this.#pending.delete(result.toolCallId);
		}
		fail();
	}

	#answeredUnknown(): void {
		this.#backend.stats.frames.unknownAnswers += 1;
		this.#unknownAnswers += 1;
		this.#wakeForUnknown();
	}
}
