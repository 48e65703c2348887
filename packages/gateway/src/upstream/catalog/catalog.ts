import type { Soon } from "../../time/soon.ts";
import { GatewayError } from "../../turn/error.ts";
import { decodeThrown } from "../errors/decode-wire-error.ts";
import { offeredName } from "./automatic.ts";
import { KnownChoices } from "./known-choices.ts";
import { mergeLists } from "./lists/merge-lists.ts";
import type { CacheEntry, ModelCache } from "./lists/model-cache.ts";
import type { ListsAnswer } from "./lists/read-lists.ts";
import type { ModelInfo, SeenModel, Spelling } from "./model.ts";
import { didYouMean } from "./names/did-you-mean.ts";
import { type ModelChoice, type ModelRequest, resolveModel } from "./resolve-model.ts";

export interface CatalogOptions {
	/** Requests the model lists from the upstream. */
	readLists: () => Promise<ListsAnswer>;
	cache: ModelCache;
	/** The user's own names, from the configuration. */
	aliases: Readonly<Record<string, string>>;
	/** Whether models run in Max Mode if a request does not say. */
	maxMode: boolean;
	/** Called when Cursor lists a model that it did not list before. */
	modelAppeared(id: string): void;
	/** Milliseconds since the epoch. */
	now: () => number;
}

/** The models of an account at one moment. */
export interface CatalogSnapshot {
	models: SeenModel[];
	fetchedAt: Date;
	/** The list is older than an hour, or the last attempt to refresh it failed at least in part. */
	stale: boolean;
	/** What went wrong at the last refresh, if it did not return complete lists. */
	problem: GatewayError | undefined;
}

const FRESH_MS = 3_600_000;
const RETRY_MS = 60_000;

/**
 * The live list of models of one account. A known list is returned at once and refreshed in the background if it is
 * older than an hour. Only the very first request waits for the upstream.
 */
export class Catalog {
	readonly #options: CatalogOptions;
	#entry: CacheEntry | undefined;
	#models: SeenModel[] = [];
	/** The names of the models and of their variants. */
	#listed: ReadonlySet<string> = new Set();
	/** What names stand for, as long as the list does not change. */
	readonly #choices = new KnownChoices();
	#problem: GatewayError | undefined;
	#triedAt = Number.NEGATIVE_INFINITY;
	#loading: Promise<void> | undefined;
	#isLoaded = false;
	#refreshing: Promise<CatalogSnapshot> | undefined;

	constructor(options: CatalogOptions) {
		this.#options = options;
	}

	/** The known list. Asks the upstream only if there is none. Fails with a `GatewayError`. */
	async current(): Promise<CatalogSnapshot> {
		await this.#load();
		if (!this.#entry) return this.refresh();
		if (this.#isOld() && this.#mayTry()) this.refresh().catch(() => {});
		return this.#snapshot(this.#entry);
	}

	/** Like `current`, but waits for a new list if the known one is old. */
	async upToDate(): Promise<CatalogSnapshot> {
		await this.#load();
		return this.#isOld() ? this.refresh() : this.current();
	}

	/**
	 * Asks the upstream now. On failure it returns the known list marked as stale, or throws the error if there is none.
	 */
	refresh(): Promise<CatalogSnapshot> {
		this.#refreshing ??= this.#refresh().finally(() => {
			this.#refreshing = undefined;
		});
		return this.#refreshing;
	}

	/** What a requested name stands for. Without any list, every name is passed on for the upstream to judge. */
	resolve(request: ModelRequest): Soon<ModelChoice> {
		const models = this.#modelsOrNone();
		if (models instanceof Promise) return models.then((read) => this.#choose(read, request));
		return this.#choose(models, request);
	}

	#choose(models: readonly ModelInfo[], request: ModelRequest): ModelChoice {
		const known = this.#choices.find(request);
		if (known) return known;
		const choice = this.#resolveWith(models, request);
		if (models === this.#models) this.#choices.keep(request, choice);
		return choice;
	}

	#resolveWith(models: readonly ModelInfo[], request: ModelRequest): ModelChoice {
		const { aliases, maxMode } = this.#options;
		return resolveModel(request, { models, aliases, maxMode, spellings: this.#entry?.spellings ?? {} });
	}

	/** Whether this is the name of a model that Cursor lists, or of one of its variants. Asks nobody. */
	lists(name: string): boolean {
		return this.#listed.has(name);
	}

	/** Known names that a mistyped one may have meant. */
	suggest(name: string): string[] {
		return didYouMean(name, this.#models);
	}

	/**
	 * Records that a run with this spelling of the model worked after another had failed. It is tried first from now on.
	 */
	async remember(modelId: string, spelling: Spelling): Promise<void> {
		if (!this.#entry || this.#entry.spellings[modelId] === spelling) return;
		this.#entry = { ...this.#entry, spellings: { ...this.#entry.spellings, [modelId]: spelling } };
		this.#choices.clear();
		await this.#options.cache.write(this.#entry);
	}

	/** Keeps a backend that serves runs but no lists from costing every run a failing call. */
	#modelsOrNone(): Soon<readonly ModelInfo[]> {
		const isSettled = this.#entry ? !this.#isOld() : this.#isLoaded && !this.#mayTry();
		return isSettled ? this.#models : this.#askForModels();
	}

	async #askForModels(): Promise<readonly ModelInfo[]> {
		await this.#load();
		if (!this.#entry && !this.#mayTry()) return this.#models;
		try {
			return (await this.current()).models;
		} catch {
			return this.#models;
		}
	}

	#mayTry(): boolean {
		return this.#refreshing !== undefined || this.#options.now() - this.#triedAt >= RETRY_MS;
	}

	#load(): Promise<void> {
		this.#loading ??= this.#options.cache.read().then((entry) => {
			if (entry) this.#use(entry);
			this.#isLoaded = true;
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
				// If a list is missing this time, the old one is better than none.
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
		this.#choices.clear();
		const { lists, firstSeen, fetchedAt } = entry;
		this.#models = mergeLists(lists).map((model) => ({ ...model, firstSeen: firstSeen[model.id] ?? fetchedAt }));
		this.#listed = new Set(
			this.#models.flatMap(({ id, variants }) => [offeredName(id), ...variants.map(({ slug }) => slug)]),
		);
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
