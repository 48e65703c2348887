import { newId } from "../../text/new-id.ts";
import type { Soon } from "../../time/soon.ts";
import { type GatewayError, toGatewayError } from "../../turn/error.ts";
import { refuseLinkedImages } from "../../turn/linked-images.ts";
import type { TurnRequest } from "../../turn/request.ts";
import { withNearNames } from "../catalog/names/near-names.ts";
import type { ModelCandidate, ModelChoice } from "../catalog/resolve-model.ts";
import { windowOf } from "../catalog/window-of.ts";
import { withOtherVersions } from "../errors/outdated-client.ts";
import type { HealthReport, HostAttempt } from "../health/host-health.ts";
import type { Driver, ProtocolName, RunPlan, WireModel } from "../protocols/driver.ts";
import type { StoredConversation } from "../protocols/stored-conversation.ts";
import { CursorRun } from "../run/run.ts";
import type { RunChoices } from "../run/run-choices.ts";
import type { RunObserver } from "../run/run-observer.ts";
import type { RunAccount } from "../run/run-parts.ts";
import type { AccountFacts } from "./account-facts.ts";
import type { CursorAccountOptions } from "./account-options.ts";
import type { Hosts } from "./hosts.ts";
import { lostWishes } from "./lost-wishes.ts";
import { identityFor, RunAccess } from "./run-access.ts";
import { WatchedRun } from "./watched-run.ts";

/** Which conversation a run belongs to, and where it continues. */
export interface RunConversation {
	conversationId: string;
	stored?: StoredConversation;
}

/** How a probe differs from the gateway's usual runs, to find out how the server reacts. */
export interface RunVariation {
	/** Replaces the driver that would be chosen. No other protocol is tried if it fails. */
	driver?(chosen: Driver): Driver;
	/** Names the model directly, bypassing the catalog. */
	model?: WireModel;
	privateHost?: RunChoices["privateHost"];
}

export interface OpenedRun {
	run: CursorRun;
	/** May grow until the first event of the run. */
	warnings: string[];
	/** How long Cursor was asked for what has to be known before a run, such as its models; usually 0. */
	askedMs: number;
}

/** A run that was asked for. */
interface RunWish {
	request: TurnRequest;
	conversation: RunConversation;
	observer: RunObserver<CursorRun>;
	variation: RunVariation | undefined;
	/** The permission of the last run's host. */
	attempt: HostAttempt;
	choices: RunChoices;
}

/** A run as it will be put to Cursor. */
interface PlannedRun {
	plan: RunPlan;
	drivers: readonly [Driver, ...Driver[]];
	otherSpelling: WireModel | undefined;
	warnings: string[];
}

/** One Cursor account as the gateway uses it: models, facts, and runs. */
export class CursorAccount {
	readonly id: string;
	readonly facts: AccountFacts;
	readonly #options: CursorAccountOptions;
	/** The host of the last run, which most likely serves the next one too. */
	#lastHost: URL;

	constructor(options: CursorAccountOptions) {
		this.id = options.id;
		this.facts = options.facts;
		this.#options = options;
		this.#lastHost = options.facts.client.baseUrl;
	}

	/** The health of the account's hosts. */
	health(): HealthReport[] {
		return this.#options.services.health.reports(this.id);
	}

	/** Prepares a run that is ready to start. Fails with a `GatewayError` if the account cannot be used. */
	prepareRun(
		request: TurnRequest,
		conversation: RunConversation,
		observer: RunObserver<CursorRun>,
		variation?: RunVariation,
	): Soon<OpenedRun> {
		const { protocols, facts, services } = this.#options;
		const [{ protocol }] = protocols.choose(request.model, facts.client.baseUrl).drivers;
		if (protocol !== "legacy") refuseLinkedImages(request.messages);
		const choices = this.#options.choices();
		// This check comes before any request, so that a host that keeps failing is not contacted at all.
		const attempt = services.health.of(this.#lastHost, this.id).begin();
		const wish = { request, conversation, observer, variation, attempt, choices };
		try {
			const opening = this.#prepare(wish);
			return opening instanceof Promise ? opening.catch((error) => failed(attempt, error)) : opening;
		} catch (error) {
			return failed(attempt, error);
		}
	}

	#prepare(wish: RunWish): Soon<OpenedRun> {
		const { request, choices, variation } = wish;
		const choosing = this.#options.facts.catalog.resolve({
			name: request.model,
			effort: request.thinking.effort,
			maxMode: request.maxMode,
			window: request.contextWindow,
			spelling: choices.spelling,
		});
		// Both may have to ask Cursor, and do so at the same time.
		const finding = this.#runAccount(variation?.privateHost ?? choices.privateHost, this.#searchesFor(request));
		if (choosing instanceof Promise || finding instanceof Promise) return this.#prepareLater(wish, choosing, finding);
		return this.#openPlanned(wish, choosing, finding, 0);
	}

	async #prepareLater(wish: RunWish, choosing: Soon<ModelChoice>, finding: Soon<RunAccount>): Promise<OpenedRun> {
		const { clock } = this.#options.services;
		const begun = clock.now();
		const [choice, account] = await Promise.all([choosing, finding]);
		return this.#openPlanned(wish, choice, account, clock.now() - begun);
	}

	#openPlanned(wish: RunWish, choice: ModelChoice, account: RunAccount, askedMs: number): Soon<OpenedRun> {
		const planned = this.#plan(wish, choice);
		const preparing = planned.drivers[0].prepare?.(planned.plan);
		if (preparing) return preparing.then(() => this.#open(planned, account, choice, wish, askedMs));
		return this.#open(planned, account, choice, wish, askedMs);
	}

	/** What to send in which protocol. */
	#plan(wish: RunWish, choice: ModelChoice): PlannedRun {
		const { request: asked, conversation, variation } = wish;
		const { systemPrompt, toolChannel, cacheTokens, waitsOverHttp1 } = wish.choices;
		const { facts, environment, protocols } = this.#options;
		const mode = asked.mode ?? choice.mode ?? this.#options.mode;
		const request = mode === asked.mode ? asked : { ...asked, ...(mode && { mode }) };
		const chosen = protocols.choose(choice.named, facts.client.baseUrl);
		const drivers = variation
			? ([variation.driver?.(chosen.drivers[0]) ?? chosen.drivers[0]] as const)
			: chosen.drivers;
		const { effort } = asked.thinking;
		const isEffortSent = effort !== undefined && drivers[0].sendsEffort?.(effort) === true;
		const named = variation?.model;
		const [model, otherSpelling] = named ? [named] : wireModels(choice.candidates);
		const searchesWeb = this.#searchesFor(request);
		const warnings = [
			...chosen.warnings,
			...choice.warnings,
			...(isEffortSent ? [] : choice.effortWarnings),
			...lostWishes(drivers[0].protocol, mode, model, searchesWeb),
		];
		const plan = {
			request,
			stored: conversation.stored,
			conversationId: conversation.conversationId,
			runId: newId(),
			model,
			systemPrompt,
			toolChannel,
			cacheTokens,
			waitsOverHttp1,
			environment,
			searchesWeb,
			ghostMode: facts.privacy.known,
		};
		return { plan, drivers, otherSpelling, warnings };
	}

	#open(planned: PlannedRun, account: RunAccount, choice: ModelChoice, wish: RunWish, askedMs: number): OpenedRun {
		const { plan, drivers, otherSpelling, warnings } = planned;
		const attempt = this.#attemptAt(account.origin(drivers[0].protocol), wish.attempt);
		const explain = (error: GatewayError, protocol: ProtocolName) => this.#explain(error, protocol, choice);
		const parts = { plan, answering: choice.answers, otherSpelling, drivers, attempt, explain };
		const watched = { plan, choice, otherSpelling, warnings, observer: wish.observer };
		const run = new CursorRun(account, parts, this.#options.services, new WatchedRun(this.#options, watched));
		return { run, warnings, askedMs };
	}

	/** Adds what is known here to an error of a run. */
	#explain(error: GatewayError, protocol: ProtocolName, choice: ModelChoice): GatewayError {
		const windowTokens = windowOf(choice);
		if (windowTokens !== undefined) error.overflow.windowTokens = windowTokens;
		return withOtherVersions(
			withNearNames(error, () => this.facts.catalog.suggest(choice.named)),
			identityFor(this.#options, protocol),
		);
	}

	/** The run may go to another host than the one whose health was checked. */
	#attemptAt(host: URL, permitted: HostAttempt): HostAttempt {
		if (host === this.#lastHost || host.origin === this.#lastHost.origin) return permitted;
		permitted.left();
		this.#lastHost = host;
		return this.#options.services.health.of(host, this.id).begin();
	}

	#runAccount(privateHost: RunChoices["privateHost"], searchesWeb: boolean): Soon<RunAccount> {
		const finding = this.#options.facts.hosts.resolve(privateHost);
		if (finding instanceof Promise) return this.#accountLater(finding, searchesWeb);
		return new RunAccess(this.#options, finding, searchesWeb);
	}

	async #accountLater(finding: Promise<Hosts>, searchesWeb: boolean): Promise<RunAccount> {
		return new RunAccess(this.#options, await finding, searchesWeb);
	}

	/** The owner lets Cursor search, and the client wants it. */
	#searchesFor({ webSearch }: TurnRequest): boolean {
		return this.#options.services.approveWeb && webSearch !== undefined;
	}
}

function failed(attempt: HostAttempt, error: unknown): never {
	attempt.failed(toGatewayError(error));
	throw error;
}

/** The candidates as named on the wire. The older protocols have no parameters, only a single name. */
function wireModels(candidates: readonly [ModelCandidate, ...ModelCandidate[]]): [WireModel, WireModel?] {
	if (candidates.length === 1) return [wireModel(candidates[0], candidates[0].modelId)];
	const plain = candidates.filter(({ parameters }) => Object.keys(parameters).length === 0);
	const names = [...new Set([...plain, ...candidates].map(({ modelId }) => modelId))];
	const [first, second] = candidates;
	return [wireModel(first, names[0]!), second && wireModel(second, names[1] ?? names[0]!)];
}

function wireModel({ modelId, parameters, maxMode }: ModelCandidate, name: string): WireModel {
	return { id: modelId, parameters, maxMode, name };
}
