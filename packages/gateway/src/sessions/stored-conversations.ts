import type { Store } from "../store/store.ts";
import { inSlices } from "../time/slices.ts";
import type { Soon } from "../time/soon.ts";
import type { Rung } from "../turn/event.ts";
import { repairedHistory } from "../turn/normalize.ts";
import type { AssistantMessage, TurnMessage, TurnRequest } from "../turn/request.ts";
import type { RunConversation } from "../upstream/account/cursor-account.ts";
import type { StoredConversation } from "../upstream/protocols/stored-conversation.ts";
import { conversationKey } from "./hashes.ts";
import type { RungReason } from "./rung-reason.ts";

export interface StoredConversationsOptions {
	store: Pick<Store, "putCheckpoint" | "findCheckpoint">;
	newConversationId(): string;
	/** Something failed that the request itself does not depend on. */
	warn(what: string, error: unknown): void;
}

/** How a request without a waiting run reaches Cursor. */
export interface ChosenRung {
	conversation: RunConversation;
	path: Rung;
	reason: RungReason;
}

/** The rungs below `parked`: conversations whose state is kept, to be found by the transcript that leads to it. */
export class StoredConversations {
	readonly #options: StoredConversationsOptions;

	constructor(options: StoredConversationsOptions) {
		this.#options = options;
	}

	/** `mustRebuild`: why no higher rung than a rebuild is possible. */
	choose(request: TurnRequest, caller: string, mustRebuild: RungReason | undefined): Soon<ChosenRung> {
		const conversation = { conversationId: this.#options.newConversationId() };
		const { messages } = request;
		const begins = !messages.some(({ role }) => role !== "user");
		if (begins) return { conversation, path: "new", reason: mustRebuild ?? "no history" };
		const prefix = messages.slice(0, -1);
		const isNextMessage = messages.at(-1)?.role === "user" && prefix.at(-1)?.role === "assistant";
		const fresh = { conversation, path: "rebuild" as const };
		if (mustRebuild) return { ...fresh, reason: mustRebuild };
		if (!isNextMessage) return { ...fresh, reason: "the last message follows no reply" };
		return this.#find(request, prefix, caller, { ...fresh, reason: "no stored conversation" });
	}

	async #find(
		request: TurnRequest,
		prefix: readonly TurnMessage[],
		caller: string,
		fresh: ChosenRung,
	): Promise<ChosenRung> {
		const { store, warn } = this.#options;
		try {
			const found = await store.findCheckpoint(caller, await inSlices(conversationKey(request, prefix)));
			if (!found) return fresh;
			const { conversationId, state, blobs } = found;
			const conversation = { conversationId, stored: { state, blobs } };
			return { conversation, path: "checkpoint", reason: "stored conversation found" };
		} catch (error) {
			warn("looking for a stored conversation", error);
			return { ...fresh, reason: "the store cannot be read" };
		}
	}

	/** Keeps Cursor's state of the conversation as it is after this reply. */
	async keep(
		caller: string,
		conversationId: string,
		request: TurnRequest,
		message: AssistantMessage,
		stored: StoredConversation,
	): Promise<void> {
		await this.keepAs(caller, conversationId, await this.keyOf(request, message), stored);
	}

	/** The name under which the conversation is found after this reply. */
	async keyOf(request: TurnRequest, message: AssistantMessage): Promise<string> {
		const { messages } = await inSlices(repairedHistory([...request.messages, message]));
		return inSlices(conversationKey(request, messages));
	}

	async keepAs(caller: string, conversationId: string, key: string, kept: StoredConversation): Promise<void> {
		const { state, blobs } = kept;
		const blobIds = [...blobs.keys()].map((id) => Buffer.from(id, "hex"));
		await this.#options.store.putCheckpoint({ caller, key, conversationId, state, blobIds }, blobs);
	}
}
