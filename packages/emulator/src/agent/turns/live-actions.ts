import { randomUUID } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import {
	type ContextInjectionState,
	type ConversationAction,
	ConversationActionSchema,
	type InjectContextAction,
} from "@cursorwire/protocol/agent";
import type { Backend } from "../../backend.ts";
import type { Message } from "../../brains/brain.ts";
import { completionText } from "../request/opening.ts";
import { readUserMessage, userMessageWith } from "../request/user-message.ts";
import type { Blobs } from "../stream/blobs.ts";
import type { AgentLink } from "../stream/link.ts";

interface Injection {
	/** Empty if the client is not told about its delivery. */
	id: string;
	read(blobs: Blobs): Promise<Message>;
	/** The action of a turn of its own, if this one ends first. */
	action: ConversationAction;
}

/** What a client sends while a turn runs: it cancels the turn, steers it, or queues further messages. */
export class LiveActions {
	/** Resolves when the client cancels the turn. The stream stays open. */
	readonly cancelled: Promise<void>;
	isCancelled = false;
	readonly #link: AgentLink;
	readonly #runId: string;
	readonly #queue: ConversationAction[] = [];
	#injections: Injection[] = [];

	constructor(link: AgentLink, backend: Backend, runId: string) {
		this.#link = link;
		this.#runId = runId;
		this.cancelled = new Promise((resolve) => {
			link.onAction = (action) => {
				if (action.action.case !== "cancelAction") return this.#take(action);
				const { requestId, rpc } = link.channel;
				backend.stats.runs.cancelled.push({ at: backend.now(), requestId, rpc });
				this.#cancel();
				resolve();
			};
		});
	}

	/** What has come for the running turn; the model reads it with this step. */
	async deliver(step: number, blobs: Blobs): Promise<Message[]> {
		const injections = this.#injections;
		this.#injections = [];
		const batch = randomUUID();
		const messages = await Promise.all(injections.map(({ read }) => read(blobs)));
		for (const { id } of injections) this.#tellDelivered(id, step, batch);
		return messages;
	}

	/** The message that has waited longest for the turn to end. Steering that came too late is queued as well. */
	nextTurn(): ConversationAction | undefined {
		for (const { id, action } of this.#injections.splice(0)) {
			this.#tell(id, { case: "queuedForNextTurn", value: {} });
			this.#queue.push(action);
		}
		return this.isCancelled ? undefined : this.#queue.shift();
	}

	#take(action: ConversationAction): void {
		const { case: kind, value } = action.action;
		if (kind === "userMessageAction") this.#queue.push(action);
		else if (kind === "injectContextAction") this.#inject(value);
		else if (kind === "backgroundTaskCompletionAction") {
			const text = value.completions.map(completionText).join("\n\n");
			this.#injections.push({ id: "", read: async () => userMessageWith(text), action });
		}
	}

	#inject(injection: InjectContextAction): void {
		const { injectionId, expectedRunId, payload } = injection;
		const read = readerOf(payload);
		if (expectedRunId !== "" && expectedRunId !== this.#runId) {
			return this.#tell(injectionId, { case: "rejected", value: { reason: `run ${expectedRunId} is not active` } });
		}
		if (!read) return this.#tell(injectionId, { case: "rejected", value: { reason: "the injection has no content" } });
		this.#injections.push({ id: injectionId, ...read });
		this.#tell(injectionId, { case: "queued", value: {} });
	}

	#cancel(): void {
		this.isCancelled = true;
		this.#link.abortExecs();
		for (const { id } of this.#injections.splice(0)) this.#tell(id, { case: "cancelled", value: {} });
	}

	#tellDelivered(id: string, step: number, deliveryBatchId: string): void {
		this.#tell(id, { case: "delivered", value: { step, deliveryBatchId, deliveredAtMs: BigInt(Date.now()) } });
	}

	#tell(injectionId: string, state: unknown): void {
		if (injectionId === "") return;
		tellInjection(this.#link, injectionId, state as ContextInjectionState["state"]);
	}
}

export function tellInjection(link: AgentLink, injectionId: string, state: ContextInjectionState["state"]): void {
	link.update({ case: "contextInjectionState", value: { injectionId, state: { state } } });
}

function readerOf({ case: kind, value }: InjectContextAction["payload"]): Omit<Injection, "id"> | undefined {
	if (kind === "userContext" && value.userMessage) {
		const { userMessage, requestContext } = value;
		const action = create(ConversationActionSchema, {
			action: { case: "userMessageAction", value: { userMessage, requestContext } },
		});
		return { read: (blobs) => readUserMessage(userMessage, blobs), action };
	}
	if (kind !== "systemContext") return undefined;
	const text = `${value.producer}: ${value.content}`;
	const action = create(ConversationActionSchema, {
		action: { case: "userMessageAction", value: { userMessage: { text } } },
	});
	return { read: async () => userMessageWith(text), action };
}
