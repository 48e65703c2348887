import type { StoredReplies } from "../dialects/dialect.ts";
import type { ResponseObject } from "../dialects/responses/encode.ts";
import {
	decodeStored,
	deletedResponse,
	encodeStored,
	type InputItemList,
	type InputItemsQuery,
	listInputItems,
	type StoredResponse,
} from "../dialects/responses/stored-response.ts";
import type { Store } from "../store/store.ts";
import { inSlices } from "../time/slices.ts";
import { GatewayError } from "../turn/error.ts";

const DAY = 24 * 60 * 60 * 1000;
export const RESPONSE_KEPT_MS = 30 * DAY;

type ResponseStore = Pick<Store, "getResponse" | "putResponse" | "deleteResponse">;

/** Responses that clients can name later, each to be found only by the caller that received it. */
export class StoredResponses {
	readonly #store: ResponseStore;
	readonly #reportBug: (error: unknown) => void;
	readonly #keptMs: number;
	/** Records that are being written. */
	readonly #underWay = new Map<string, Promise<void>>();

	/** `reportBug` takes unexpected errors that occur after the client has its response. */
	constructor(store: ResponseStore, reportBug: (error: unknown) => void, keptMs = RESPONSE_KEPT_MS) {
		this.#store = store;
		this.#keptMs = keptMs;
		this.#reportBug = reportBug;
	}

	/** Those of one caller, for its dialect. */
	of(caller: string): StoredReplies {
		return {
			load: (id) => this.#find(caller, id),
			keep: (id, record) => this.#keep(caller, id, record as StoredResponse),
		};
	}

	async get(caller: string, id: string): Promise<ResponseObject> {
		return (await this.#known(caller, id)).response;
	}

	async inputItems(caller: string, id: string, query: InputItemsQuery): Promise<InputItemList> {
		return listInputItems(await this.#known(caller, id), query);
	}

	async delete(caller: string, id: string): Promise<object> {
		await this.#underWay.get(nameOf(caller, id));
		if (!(await this.#store.deleteResponse(caller, id))) throw this.#unknown(id);
		return deletedResponse(id);
	}

	/** Only background responses can be cancelled, and there are none: what is stored has ended. */
	async cancel(caller: string, id: string): Promise<never> {
		await this.#known(caller, id);
		throw new GatewayError("invalid-request", "This response has ended and cannot be cancelled.", {
			param: "response_id",
			nextStep: "Close the connection to cancel a response that is under way.",
		});
	}

	#keep(caller: string, id: string, record: StoredResponse): void {
		const name = nameOf(caller, id);
		const written = this.#put(caller, id, record)
			.catch((error) => this.#reportBug(error))
			.finally(() => this.#underWay.delete(name));
		this.#underWay.set(name, written);
	}

	async #put(caller: string, id: string, record: StoredResponse): Promise<void> {
		const payload = await inSlices(encodeStored(record));
		await this.#store.putResponse(caller, id, payload, this.#keptMs);
	}

	async #known(caller: string, id: string): Promise<StoredResponse> {
		const record = await this.#find(caller, id);
		if (!record) throw this.#unknown(id);
		return record;
	}

	async #find(caller: string, id: string): Promise<StoredResponse | undefined> {
		await this.#underWay.get(nameOf(caller, id));
		const payload = await this.#store.getResponse(caller, id);
		return payload && inSlices(decodeStored(payload));
	}

	#unknown(id: string): GatewayError {
		return new GatewayError("not-found", `No response ${JSON.stringify(id)} is kept.`, {
			param: "response_id",
			nextStep: `Responses are kept for ${this.#keptMs / DAY} days after they have ended (the setting responseDays), unless store is false; send the whole conversation.`,
		});
	}
}

const nameOf = (caller: string, id: string) => JSON.stringify([caller, id]);
