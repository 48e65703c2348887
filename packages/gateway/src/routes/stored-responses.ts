import { type ResolveEarlier, recordIdsOf, resolverOf } from "../dialects/responses/earlier.ts";
import type { ResponseObject } from "../dialects/responses/encode.ts";
import {
	decodeRecord,
	deletedResponse,
	encodeRecord,
	type InputItemList,
	type InputItemsQuery,
	listInputItems,
	type ResponseRecord,
} from "../dialects/responses/record.ts";
import type { Store } from "../store/store.ts";
import { GatewayError } from "../turn/error.ts";

export const RESPONSE_KEPT_MS = 30 * 24 * 60 * 60 * 1000;

type ResponseStore = Pick<Store, "getResponse" | "putResponse" | "deleteResponse">;

/** Responses that clients can name later, each to be found by its caller alone. */
export class StoredResponses {
	readonly #store: ResponseStore;
	readonly #mistake: (error: unknown) => void;

	/** `mistake`: an error that nobody expected, while nobody waits. */
	constructor(store: ResponseStore, mistake: (error: unknown) => void) {
		this.#store = store;
		this.#mistake = mistake;
	}

	/** Knows whatever a body names of earlier responses. */
	async resolverFor(caller: string, body: unknown): Promise<ResolveEarlier> {
		const records = await Promise.all(recordIdsOf(body).map((id) => this.#find(caller, id)));
		return resolverOf(records.filter((record) => record !== undefined));
	}

	keep(caller: string, record: ResponseRecord): void {
		this.#store
			.putResponse(caller, record.response.id, encodeRecord(record), RESPONSE_KEPT_MS)
			.catch((error) => this.#mistake(error));
	}

	async get(caller: string, id: string): Promise<ResponseObject> {
		return (await this.#known(caller, id)).response;
	}

	async inputItems(caller: string, id: string, query: InputItemsQuery): Promise<InputItemList> {
		return listInputItems(await this.#known(caller, id), query);
	}

	async delete(caller: string, id: string): Promise<object> {
		if (!(await this.#store.deleteResponse(caller, id))) throw unknownResponse(id);
		return deletedResponse(id);
	}

	/** Only responses in the background can be cancelled, and there are none: what is kept has ended. */
	async cancel(caller: string, id: string): Promise<never> {
		await this.#known(caller, id);
		throw new GatewayError("invalid-request", "This response has ended and cannot be cancelled.", {
			param: "response_id",
			nextStep: "Close the connection to cancel a response that is under way.",
		});
	}

	async #known(caller: string, id: string): Promise<ResponseRecord> {
		const record = await this.#find(caller, id);
		if (!record) throw unknownResponse(id);
		return record;
	}

	async #find(caller: string, id: string): Promise<ResponseRecord | undefined> {
		const payload = await this.#store.getResponse(caller, id);
		return payload && decodeRecord(payload);
	}
}

function unknownResponse(id: string): GatewayError {
	return new GatewayError("not-found", `No response ${JSON.stringify(id)} is kept.`, {
		param: "response_id",
		nextStep:
			"Responses are kept for 30 days after they have ended, unless store is false; send the whole conversation.",
	});
}
