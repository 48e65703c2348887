import { create, fromBinary, type MessageInitShape, toBinary, toJson } from "@bufbuild/protobuf";
import {
	type AgentClientMessage,
	AgentClientMessageSchema,
	type AgentRunRequest,
	AgentServerMessageSchema,
	type ConversationAction,
	type ExecClientMessage,
	type ExecServerMessage,
	type ExecServerMessageSchema,
	type InteractionResponse,
	type InteractionUpdate,
	type InteractionUpdateSchema,
	type KvClientMessage,
	type KvServerMessage,
} from "@cursorwire/protocol/agent";
import type { Backend } from "../../backend.ts";
import type { BidiChannel } from "../../bidi/channel.ts";
import { ClientGone } from "../../bidi/client-gone.ts";
import { UNKNOWN_REQUEST_ID } from "../../faults/agent-frames.ts";
import { RpcFailure } from "../../rpc/failure.ts";
import { refuseUnknownFields } from "../request/strict.ts";
import { type ExecAnswer, ExecAnswers, type ExecControl } from "./exec-answers.ts";
import { PendingAnswers } from "./pending-answers.ts";

type ServerMessage = MessageInitShape<typeof AgentServerMessageSchema>["message"];
type QueryCase = Extract<ServerMessage, { case: "interactionQuery" }>["value"]["query"];

/**
 * The stream of a run in typed messages. It sends what the server has to say and matches each answer of the client to
 * its request: docs/protocol.md, The first message, Updates, Exec requests, Blobs and Queries.
 */
export class AgentLink {
	readonly channel: BidiChannel;
	/** Called for actions that the client sends during a turn (cancel, inject, …). */
	onAction: (action: ConversationAction) => void = () => {};
	readonly #backend: Backend;
	readonly #observe: (message: unknown) => void;
	readonly #kv = new PendingAnswers<KvClientMessage["message"]>();
	readonly #execs = new ExecAnswers();
	readonly #queries = new PendingAnswers<InteractionResponse["result"]>();
	readonly #start: Promise<AgentRunRequest>;
	readonly #unknownAnswered: Promise<void>;
	#resolveStart!: (request: AgentRunRequest) => void;
	#rejectStart!: (error: Error) => void;
	#resolveUnknown!: () => void;
	#nextKv = 0;
	#nextExec = 1;
	#nextQuery = 1;
	#isBroken = false;
	#isMuted = false;

	constructor(channel: BidiChannel, backend: Backend, observe: (message: unknown) => void) {
		this.channel = channel;
		this.#backend = backend;
		this.#observe = observe;
		this.#start = new Promise((resolve, reject) => {
			this.#resolveStart = resolve;
			this.#rejectStart = reject;
		});
		this.#start.catch(() => {});
		this.#unknownAnswered = new Promise((resolve) => {
			this.#resolveUnknown = resolve;
		});
		channel.clientGone.addEventListener("abort", () => this.#break(new ClientGone()), { once: true });
		void this.#read();
	}

	/** The first message, which says what to run. */
	runRequest(): Promise<AgentRunRequest> {
		return this.#start;
	}

	/** Sends nothing from now on, not even heartbeats. The stream stays open. */
	mute(): void {
		this.#isMuted = true;
	}

	send(message: ServerMessage): void {
		if (this.#isMuted) return;
		this.#backend.stats.frames.sent += 1;
		this.channel.send(toBinary(AgentServerMessageSchema, create(AgentServerMessageSchema, { message })));
	}

	update(message: MessageInitShape<typeof InteractionUpdateSchema>["message"]): void {
		this.send({ case: "interactionUpdate", value: { message: message as InteractionUpdate["message"] } });
	}

	kv(message: KvServerMessage["message"]): Promise<KvClientMessage["message"]> {
		const id = this.#nextKv++;
		return this.#kv.ask(id, () => this.send({ case: "kvServerMessage", value: { id, message } }));
	}

	exec(message: MessageInitShape<typeof ExecServerMessageSchema>["message"], execId: string): Promise<ExecAnswer> {
		const id = this.#nextExec++;
		const value = { id, message: message as ExecServerMessage["message"], execId };
		const isStreamed = message?.case === "shellStreamArgs";
		return this.#execs.ask(id, isStreamed, () => this.send({ case: "execServerMessage", value }));
	}

	/** Asks the client to stop all exec requests. Their answers are still awaited. */
	abortExecs(): void {
		for (const id of this.#execs.openIds()) {
			this.send({ case: "execServerControlMessage", value: { message: { case: "abort", value: { id } } } });
		}
	}

	query(query: QueryCase): Promise<InteractionResponse["result"]> {
		const id = this.#nextQuery++;
		return this.#queries.ask(id, () => this.send({ case: "interactionQuery", value: { id, query } }));
	}

	/** Resolves once the client has answered a request of an unknown kind, if a fault has sent one. */
	async unknownRequestsAnswered(): Promise<void> {
		if (!this.channel.struck("unknown-exec") && !this.channel.struck("unknown-query")) return;
		await Promise.race([this.#unknownAnswered, this.gone()]);
	}

	/** Never resolves; rejects when the client leaves. */
	gone(): Promise<never> {
		return new Promise((_, reject) => {
			if (this.channel.clientGone.aborted) reject(new ClientGone());
			this.channel.clientGone.addEventListener("abort", () => reject(new ClientGone()), { once: true });
		});
	}

	async #read(): Promise<void> {
		try {
			for (let bytes = await this.channel.receive(); bytes; bytes = await this.channel.receive()) {
				const message = decodeClientMessage(bytes);
				this.#backend.stats.frames.received += 1;
				if (message.message.case !== "clientHeartbeat") this.#observe(toJson(AgentClientMessageSchema, message));
				if (this.#backend.strict) refuseUnknownFields(message);
				this.#dispatch(message);
			}
			// A client closes its half after it has read the end. If it does so earlier, no more answers will come.
			this.#break(new ClientGone());
		} catch (error) {
			this.#break(error as Error);
		}
	}

	#dispatch({ message }: AgentClientMessage): void {
		switch (message.case) {
			case "runRequest":
				return this.#resolveStart(message.value);
			case "kvClientMessage":
				return this.#answered(this.#kv.answer(message.value.id, message.value.message), `kv ${message.value.id}`);
			case "interactionResponse":
				return this.#queryAnswered(message.value);
			case "execClientMessage":
				return this.#execAnswered(message.value);
			case "execClientControlMessage":
				return this.#execControl(message.value.message);
			case "conversationAction":
				return this.onAction(message.value);
			case "clientHeartbeat":
				this.#backend.stats.frames.heartbeats += 1;
				return;
			case "prewarmRequest":
				return;
			default:
				throw new RpcFailure("invalid_argument", "a client message of no known kind");
		}
	}

	#queryAnswered(response: InteractionResponse): void {
		if (response.id === UNKNOWN_REQUEST_ID) return this.#unknownQueryAnswered(response);
		this.#answered(this.#queries.answer(response.id, response.result), `interaction query ${response.id}`);
	}

	#execAnswered(message: ExecClientMessage): void {
		if (message.id === UNKNOWN_REQUEST_ID) return this.#unknownRequestAnswered();
		this.#answered(this.#execs.add(message), `exec ${message.id}`);
	}

	#execControl(control: ExecControl): void {
		if (control.value?.id === UNKNOWN_REQUEST_ID) return this.#unknownRequestAnswered();
		if (control.case === "heartbeat") this.#backend.stats.frames.execHeartbeats += 1;
		else this.#execs.end(control);
	}

	/** With --strict, an answer to a request that is not open ends the run. */
	#answered(wasAsked: boolean, what: string): void {
		if (wasAsked || !this.#backend.strict) return;
		throw new RpcFailure("invalid_argument", `an answer to ${what}, which was not asked`);
	}

	#unknownQueryAnswered({ result, $unknown = [] }: InteractionResponse): void {
		const isEmpty = result.case === undefined && $unknown.length === 0;
		if (isEmpty && this.#backend.switches.get("unknown-query-answer") === "strict") {
			throw new RpcFailure("internal", "the answer to an interaction query has no result");
		}
		this.#unknownRequestAnswered();
	}

	#unknownRequestAnswered(): void {
		this.#backend.stats.frames.unknownAnswers += 1;
		this.#resolveUnknown();
	}

	#break(error: Error): void {
		if (this.#isBroken) return;
		this.#isBroken = true;
		this.#rejectStart(error);
		for (const pending of [this.#kv, this.#execs, this.#queries]) pending.break(error);
		// A protocol error ends the stream even while the model is busy and no answer is awaited.
		if (error instanceof RpcFailure) this.channel.end(error);
	}
}

function decodeClientMessage(bytes: Uint8Array): AgentClientMessage {
	try {
		return fromBinary(AgentClientMessageSchema, bytes);
	} catch (error) {
		throw new RpcFailure("invalid_argument", `cannot read AgentClientMessage: ${(error as Error).message}`);
	}
}
