import type { Soon } from "../../../time/soon.ts";
import type { ChannelRequest } from "../../channels/channel.ts";
import type { ProtocolName } from "../../protocols/driver.ts";
import type { RunAccount } from "../run-parts.ts";

export type RunHeaders = ChannelRequest["headers"];

const NONE: RunHeaders = {};

/** Where one stream of a run is opened, and in whose name. */
export class RunTarget implements ChannelRequest {
	readonly origin: URL;
	/** Not known before the token is. */
	headers = NONE;
	readonly #account: RunAccount;
	readonly #protocol: ProtocolName;
	readonly #requestId: string;
	readonly #runId: string;

	constructor(account: RunAccount, protocol: ProtocolName, requestId: string, runId: string) {
		this.origin = account.origin(protocol);
		this.#account = account;
		this.#protocol = protocol;
		this.#requestId = requestId;
		this.#runId = runId;
	}

	get key(): string {
		return this.#account.key;
	}

	newHeaders(): Soon<RunHeaders> {
		return this.#account.headers(this.#protocol, this.#requestId, this.#runId);
	}

	async renewHeaders(): Promise<RunHeaders> {
		await this.#account.tokenRefused();
		return this.newHeaders();
	}
}
