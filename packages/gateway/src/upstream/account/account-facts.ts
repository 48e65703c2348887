import type { Transport } from "../../wire/stream.ts";
import { AUTOMATIC_ID } from "../catalog/automatic.ts";
import { Catalog } from "../catalog/catalog.ts";
import { ModelCache } from "../catalog/lists/model-cache.ts";
import { readLists } from "../catalog/lists/read-lists.ts";
import type { CountUnknown } from "../census/census.ts";
import type { Observe } from "../run/observe.ts";
import { HostDirectory } from "./hosts.ts";
import type { ClientIdentity } from "./identity.ts";
import { Privacy } from "./privacy.ts";
import { type AccountProfile, readProfile } from "./profile.ts";
import { type AccountQuota, type QuotaPool, readQuota } from "./quota.ts";
import type { RpcClient } from "./rpc.ts";
import type { TokenSource } from "./token-source.ts";

export interface AccountFactsOptions {
	upstream: URL;
	transport: Transport;
	tokens: TokenSource;
	/** Stable name of the account. This is the user id, never a secret. */
	accountId: string;
	/** The API key, if the account is signed in with one. The REST list of models needs it. */
	apiKey?: () => string | undefined;
	identity: ClientIdentity;
	/** Inspects what Cursor sends for unknown parts. */
	countUnknown: CountUnknown;
	/** Called when Cursor lists a model that it did not list before. */
	modelAppeared(id: string): void;
	dataDir: string;
	modelAliases: Readonly<Record<string, string>>;
	/** Whether models run in Max Mode if a request does not say. Off by default. */
	maxMode?: boolean;
	/** Milliseconds since the epoch. */
	now: () => number;
	newId: () => string;
	observe?: Observe | undefined;
}

/** Everything the gateway knows about an account except its credentials. There is one object per account. */
export class AccountFacts {
	readonly client: RpcClient;
	readonly catalog: Catalog;
	readonly hosts: HostDirectory;
	readonly privacy: Privacy;
	/** Models that are charged to the `auto` pool, as Cursor last said. */
	#autoModels: ReadonlySet<string> | undefined;

	constructor(options: AccountFactsOptions) {
		const { upstream, transport, tokens, accountId, identity, countUnknown, now, newId } = options;
		this.privacy = new Privacy(() => this.client, now);
		this.client = {
			transport,
			baseUrl: upstream,
			connectionKey: accountId,
			tokens,
			identity,
			ghostMode: () => this.privacy.known,
			newId,
			countUnknown,
			now,
			observe: options.observe,
		};
		this.hosts = new HostDirectory(this.client, () => this.privacy.ghostMode());
		this.catalog = new Catalog({
			readLists: () => readLists(this.client, options.apiKey?.()),
			cache: new ModelCache(options.dataDir, upstream, accountId),
			aliases: options.modelAliases,
			maxMode: options.maxMode ?? false,
			modelAppeared: options.modelAppeared,
			now,
		});
	}

	profile(): Promise<AccountProfile> {
		return readProfile(this.client);
	}

	/** `poolsOnly`: one call instead of three, and neither plan nor address. */
	async usage(poolsOnly = false): Promise<AccountQuota> {
		const quota = await readQuota(this.client, poolsOnly);
		if (quota.autoModels.length > 0) this.#autoModels = new Set(quota.autoModels);
		return quota;
	}

	/** The pool that a model is charged to. Undefined until the usage was read once: nothing is asked for this. */
	poolOf(modelId: string): QuotaPool["name"] | undefined {
		if (modelId === AUTOMATIC_ID) return "auto";
		return this.#autoModels && (this.#autoModels.has(modelId) ? "auto" : "api");
	}
}
