import { GatewayError } from "../../turn/error.ts";
import { decodeThrown } from "../errors/decode-wire-error.ts";
import { mergeLists } from "./lists/merge-lists.ts";
import type { CacheEntry, ModelCache } from "./lists/model-cache.ts";
import type { ListsAnswer } from "./lists/read-lists.ts";
import type { ModelInfo, SeenModel, Spelling } from "./model.ts";
import { didYouMean } from "./names/did-you-mean.ts";
import { type ModelChoice, type ModelRequest, resolveModel } from "./resolve-model.ts";

export interface CatalogOptions {
	/** Asks the upstream for its lists. */
	readLists: () => Promise<ListsAnswer>;
	cache: ModelCache;
	/** Names of the user's own, from the configuration. */
	aliases: Readonly<Record<string, string>>;
	/** Whether models run in Max Mode where a request does not say. */
	maxMode: boolean;
	/** Cursor lists a model that it did not list before. */
	modelAppeared(id: string): void;
	/** Milliseconds of the epoch. */
	now: () => number;
}

/** The models of an account at one moment. */
export interface CatalogSnapshot {
	models: SeenModel[];
	fetchedAt: Date;
	/** Older than an hour, or the upstream was asked since and did not answer in full. */
	stale: boolean;
	/** What the upstream answered when it was last asked, if that was not a whole list. */
	problem: GatewayError | undefined;
}

const FRESH_MS = 3_600_000;
const RETRY_MS = 60_000;

/**
 * The live list of models of one account. What is known is answered at once and renewed behind the scenes when it is
 * older than an hour; only the very first request waits for the upstream.
 */
export class Catalog {
	readonly #options: CatalogOptions;
	#entry: CacheEntry | undefined;
	#models: SeenModel[] = [];
	#problem: GatewayError | undefined;
	#triedAt = Number.NEGATIVE_INFINITY;
	#loading: Promise<void> | undefined;
	#refreshing: Promise<CatalogSnapshot> | undefined;

	constructor(options: CatalogOptions) {
		this.#options = options;
	}

	/** The list as it is known, from the upstream only if there is none. Fails with a `GatewayError`. */
	async current(): Promise<CatalogSnapshot> {
		await this.#load();
		if (!this.#entry) return this.refresh();
		if (this.#isOld() && this.#mayTry()) this.refresh().catch(() => {});
		return this.#snapshot(this.#entry);
	}

	/** Like `current`, but waits for a new list where the known one is old. */
	async upToDate(): Promise<CatalogSnapshot> {
		await this.#load();
		return this.#isOld() ? this.refresh() : this.current();
	}

	/** Asks the upstream now. If it fails, the known list comes back marked as stale; without one the error does. */
	refresh(): Promise<CatalogSnapshot> {
		this.#refreshing ??= this.#refresh().finally(() => {
			this.#refreshing = undefined;
		});
		return this.#refreshing;
	}

	/** What a requested name stands for. Without any list every name passes through, as the upstream's to judge. */
	async resolve(request: ModelRequest): Promise<ModelChoice> {
		const models = await this.#modelsOrNone();
		const spellings = this.#entry?.spellings ?? {};
		const { aliases, maxMode } = this.#options;
		return resolveModel(request, { models, aliases, maxMode, spellings });
	}

	/** Names that a wrong one may have meant. */
	suggest(name: string): string[] {
		return didYouMean(name, this.#models);
	}

	/** A run with this spelling of the model worked after another had failed: from now on it goes first. */
	async remember(modelId: string, spelling: Spelling): Promise<void> {
		if (!this.#entry || this.#entry.spellings[modelId] === spelling) return;
		this.#entry = { ...this.#entry, spellings: { ...this.#entry.spellings, [modelId]: spelling } };
		await this.#options.cache.write(this.#entry);
	}

	/** A backend that serves runs and no lists must not cost each run a failing call. */
	async #modelsOrNone(): Promise<readonly ModelInfo[]> {
		await this.#load();
		if (!this.#entry && !this.#mayTry()) return [];
		try {
			return (await this.current()).models;
		} catch {
			return [];
		}
	}

	#mayTry(): boolean {
		return this.#refreshing !== undefined || this.#options.now() - this.#triedAt >= RETRY_MS;
	}

	#load(): Promise<void> {
		this.#loading ??= this.#options.cache.read().then((entry) => {
			if (entry) this.#use(entry);
		});
		return this.#loading;
	}

	async #refresh(): Promise<CatalogSnapshot> {
		await this.#load();
		this.#triedAt = this.#options.now();
		const { lists, problem } = await this.#ask();
		this.#problem = problem;
		const isAnswered = lists.usable ?? lists.available ?? lists.rest;
		if (isAnswered) {
			const isFirstList = this.#entry === undefined;
			const firstSeen = { ...this.#entry?.firstSeen, ...this.#firstSeen() };
			this.#use({
				fetchedAt: this.#triedAt,
				// A list that did not come this time is better old than missing.
				lists: { ...this.#entry?.lists, ...withoutGaps(lists) },
				spellings: this.#entry?.spellings ?? {},
				firstSeen,
			});
			const appeared = isFirstList ? [] : this.#models.filter(({ id }) => !Object.hasOwn(firstSeen, id));
			for (const { id } of appeared) this.#options.modelAppeared(id);
			await this.#options.cache.write(this.#entry!);
		}
		if (!this.#entry) throw problem ?? new GatewayError("upstream-empty", "Cursor lists no models for this account.");
		if (!isAnswered) this.#problem ??= new GatewayError("upstream-empty", "Cursor lists no models for this account.");
		return this.#snapshot(this.#entry);
	}

	async #ask(): Promise<ListsAnswer> {
		try {
			return await this.#options.readLists();
		} catch (error) {
			return { lists: {}, problem: decodeThrown(error) };
		}
	}

	#use(entry: CacheEntry): void {
		this.#entry = entry;
		const { lists, firstSeen, fetchedAt } = entry;
		this.#models = mergeLists(lists).map((model) => ({ ...model, firstSeen: firstSeen[model.id] ?? fetchedAt }));
	}

	#firstSeen(): Record<string, number> {
		return Object.fromEntries(this.#models.map(({ id, firstSeen }) => [id, firstSeen]));
	}

	#isOld(): boolean {
		return !this.#entry || this.#options.now() - this.#entry.fetchedAt >= FRESH_MS;
	}

	#snapshot({ fetchedAt }: CacheEntry): CatalogSnapshot {
		const problem = this.#problem;
		const stale = problem !== undefined || this.#isOld();
		return { models: this.#models, fetchedAt: new Date(fetchedAt), stale, problem };
	}
}

function withoutGaps<T extends object>(lists: T): Partial<T> {
	return Object.fromEntries(Object.entries(lists).filter(([, list]) => list !== undefined)) as Partial<T>;
}
