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

type ServerMessage = MessageInitShape<typeof AgentServerMessageSchema>["message"];
type QueryCase = Extract<ServerMessage, { case: "interactionQuery" }>["value"]["query"];

/** How an exec ended: with result messages, or with the client's throw. */
export interface ExecAnswer {
	messages: ExecClientMessage["message"][];
	thrown?: { error: string; errorCode: string };
}

interface Waiter<T> {
	resolve(value: T): void;
	reject(error: Error): void;
}

interface OpenExec extends Waiter<ExecAnswer> {
	answer: ExecAnswer;
	streamed: boolean;
}

/** The typed run stream: sends server messages, matches each answer of the client to its request. */
export class AgentLink {
	readonly channel: BidiChannel;
	/** Called for actions the client sends while the turn runs (cancel, inject, …). */
	onAction: (action: ConversationAction) => void = () => {};
	readonly #backend: Backend;
	readonly #observe: (message: unknown) => void;
	readonly #kv = new Map<number, Waiter<KvClientMessage["message"]>>();
	readonly #execs = new Map<number, OpenExec>();
	readonly #queries = new Map<number, Waiter<InteractionResponse["result"]>>();
	readonly #start: Promise<AgentRunRequest>;
	readonly #unknownAnswered: Promise<void>;
	#settleStart!: Waiter<AgentRunRequest>;
	#settleUnknown!: () => void;
	#nextKv = 0;
	#nextExec = 1;
	#nextQuery = 1;
	#broken: Error | undefined;
	#muted = false;

	constructor(channel: BidiChannel, backend: Backend, observe: (message: unknown) => void) {
		this.channel = channel;
		this.#backend = backend;
		this.#observe = observe;
		this.#start = new Promise((resolve, reject) => {
			this.#settleStart = { resolve, reject };
		});
		this.#start.catch(() => {});
		this.#unknownAnswered = new Promise((resolve) => {
			this.#settleUnknown = resolve;
		});
		channel.clientGone.addEventListener("abort", () => this.#break(new ClientGone()), { once: true });
		void this.#read();
	}

	/** The first message, which says what to run. */
	runRequest(): Promise<AgentRunRequest> {
		return this.#start;
	}

	/** Nothing more is sent, heartbeats neither; the stream stays open. */
	mute(): void {
		this.#muted = true;
	}

	send(message: ServerMessage): void {
		if (this.#muted) return;
		this.#backend.stats.frames.sent += 1;
		this.channel.send(toBinary(AgentServerMessageSchema, create(AgentServerMessageSchema, { message })));
	}

	update(message: MessageInitShape<typeof InteractionUpdateSchema>["message"]): void {
		this.send({ case: "interactionUpdate", value: { message: message as InteractionUpdate["message"] } });
	}

	kv(message: KvServerMessage["message"]): Promise<KvClientMessage["message"]> {
		const id = this.#nextKv++;
		return this.#ask(this.#kv, id, () => this.send({ case: "kvServerMessage", value: { id, message } }));
	}

	exec(message: MessageInitShape<typeof ExecServerMessageSchema>["message"], execId: string): Promise<ExecAnswer> {
		const id = this.#nextExec++;
		if (this.#broken) return Promise.reject(this.#broken);
		return new Promise((resolve, reject) => {
			const streamed = message?.case === "shellStreamArgs";
			this.#execs.set(id, { resolve, reject, answer: { messages: [] }, streamed });
			const value = { id, message: message as ExecServerMessage["message"], execId };
			this.send({ case: "execServerMessage", value });
		});
	}

	/** Tells the client to stop what it was asked to do; its answers are still awaited. */
	abortExecs(): void {
		for (const id of this.#execs.keys()) {
			this.send({ case: "execServerControlMessage", value: { message: { case: "abort", value: { id } } } });
		}
	}

	query(query: QueryCase): Promise<InteractionResponse["result"]> {
		const id = this.#nextQuery++;
		return this.#ask(this.#queries, id, () => this.send({ case: "interactionQuery", value: { id, query } }));
	}

	/** Resolves once a request of an unknown kind, put in by a fault, has been answered. */
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

	#ask<T>(waiters: Map<number, Waiter<T>>, id: number, send: () => void): Promise<T> {
		if (this.#broken) return Promise.reject(this.#broken);
		return new Promise((resolve, reject) => {
			waiters.set(id, { resolve, reject });
			send();
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
			// The client closes its half only when it has read the end; before that nobody will answer any more.
			this.#break(new ClientGone());
		} catch (error) {
			this.#break(error as Error);
		}
	}

	#dispatch({ message }: AgentClientMessage): void {
		switch (message.case) {
			case "runRequest":
				this.#settleStart.resolve(message.value);
				return;
			case "kvClientMessage":
				return this.#answer(this.#kv, message.value.id, message.value.message, "kv");
			case "interactionResponse":
				if (message.value.id === UNKNOWN_REQUEST_ID) return this.#answeredUnknownQuery(message.value);
				return this.#answer(this.#queries, message.value.id, message.value.result, "interaction query");
			case "execClientMessage":
				return this.#execMessage(message.value);
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

	#answer<T>(waiters: Map<number, Waiter<T>>, id: number, value: T, what: string): void {
		const waiter = waiters.get(id);
		if (!waiter) return this.#unasked(`${what} ${id}`);
		waiters.delete(id);
		waiter.resolve(value);
	}

	#execMessage(message: ExecClientMessage): void {
		if (message.id === UNKNOWN_REQUEST_ID) return this.#answeredUnknown();
		const exec = this.#execs.get(message.id);
		if (!exec) return this.#unasked(`exec ${message.id}`);
		exec.answer.messages.push(message.message);
		if (!exec.streamed || endsShellStream(message.message)) this.#finishExec(message.id, exec);
	}

	#execControl(
		control: Extract<AgentClientMessage["message"], { case: "execClientControlMessage" }>["value"]["message"],
	) {
		if (control.value?.id === UNKNOWN_REQUEST_ID) return this.#answeredUnknown();
		if (control.case === "heartbeat") {
			this.#backend.stats.frames.execHeartbeats += 1;
			return;
		}
		const exec = control.value && this.#execs.get(control.value.id);
		// A stream_close behind a single result finds nothing left to close, which is right.
		if (!exec) return;
		if (control.case === "throw") {
			exec.answer.thrown = { error: control.value.error, errorCode: control.value.errorCode ?? "" };
		}
		this.#finishExec(control.value.id, exec);
	}

	#finishExec(id: number, exec: OpenExec): void {
		this.#execs.delete(id);
		exec.resolve(exec.answer);
	}

	#answeredUnknownQuery({ result, $unknown = [] }: InteractionResponse): void {
		const isEmpty = result.case === undefined && $unknown.length === 0;
		if (isEmpty && this.#backend.switches.get("unknown-query-answer") === "strict") {
			throw new RpcFailure("internal", "the answer to an interaction query has no result");
		}
		this.#answeredUnknown();
	}

	#answeredUnknown(): void {
		this.#backend.stats.frames.unknownAnswers += 1;
		this.#settleUnknown();
	}

	#unasked(what: string): void {
		if (this.#backend.strict) throw new RpcFailure("invalid_argument", `an answer to ${what}, which was not asked`);
	}

	#break(error: Error): void {
		if (this.#broken) return;
		this.#broken = error;
		this.#settleStart.reject(error);
		for (const waiters of [this.#kv, this.#execs, this.#queries]) {
			for (const waiter of waiters.values()) waiter.reject(error);
			waiters.clear();
		}
		// A protocol error ends the stream even while the model is busy and nobody waits for an answer.
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

const SHELL_STREAM_ENDS = new Set(["exit", "rejected", "permissionDenied", "backgrounded", "sandboxUnsupported"]);

function endsShellStream(message: ExecClientMessage["message"]): boolean {
	return message.case !== "shellStream" || SHELL_STREAM_ENDS.has(message.value.event.case ?? "");
}
