import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
	type ClientSideToolV2CallSchema,
	type ClientSideToolV2Result,
	type StreamUnifiedChatRequest,
	type StreamUnifiedChatRequestWithTools,
	type StreamUnifiedChatResponseSchema,
	type StreamUnifiedChatResponseWithTools,
	StreamUnifiedChatResponseWithToolsSchema,
} from "@cursorwire/protocol/aiserver";
import { ClientGone } from "../agent/client-gone.ts";
import type { RpcFailure } from "../rpc/failure.ts";

/** A unified chat stream in decoded messages, whichever RPC and wrapper carries it. */
export interface ChatTransport {
	readonly headers: Record<string, string>;
	readonly clientGone: AbortSignal;
	/** False for StreamUnifiedChat, which has no way back for tool results. */
	readonly takesToolResults: boolean;
	receive(): Promise<StreamUnifiedChatRequestWithTools | undefined>;
	send(message: StreamUnifiedChatResponseWithTools): void;
	ready(): Promise<void>;
	end(failure?: RpcFailure): void;
	drop(): void;
}

/** Sends the server's messages and matches tool results to calls. */
export class ChatLink {
	readonly transport: ChatTransport;
	readonly #pending = new Map<string, { resolve(result: ClientSideToolV2Result): void; reject(error: Error): void }>();
	#events = 0;

	constructor(transport: ChatTransport) {
		this.transport = transport;
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

	start(): void {
		this.#send({ case: "streamStart", value: {} });
	}

	call(
		call: MessageInitShape<typeof ClientSideToolV2CallSchema> & { toolCallId: string },
	): Promise<ClientSideToolV2Result> {
		return new Promise((resolve, reject) => {
			if (this.transport.clientGone.aborted) reject(new ClientGone());
			this.#pending.set(call.toolCallId, { resolve, reject });
			this.#send({ case: "clientSideToolV2Call", value: call });
		});
	}

	#send(response: MessageInitShape<typeof StreamUnifiedChatResponseWithToolsSchema>["response"]): void {
		const eventId = String(++this.#events);
		this.transport.send(create(StreamUnifiedChatResponseWithToolsSchema, { response, eventId }));
	}

	async #readResults(): Promise<void> {
		const fail = () => {
			for (const waiter of this.#pending.values()) waiter.reject(new ClientGone());
			this.#pending.clear();
		};
		this.transport.clientGone.addEventListener("abort", fail, { once: true });
		for (let next = await this.transport.receive(); next; next = await this.transport.receive()) {
			if (next.request.case !== "clientSideToolV2Result") continue;
			const result = next.request.value;
			this.#pending.get(result.toolCallId)?.resolve(result);
			this.#pending.delete(result.toolCallId);
		}
		fail();
	}
}
