import { newId } from "../../text/new-id.ts";
import { orElse, type Soon, soon } from "../../time/soon.ts";
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
		const { protocols, facts } = this.#options;
		const [{ protocol }] = protocols.choose(request.model, facts.client.baseUrl).drivers;
		if (protocol !== "legacy") refuseLinkedImages(request.messages);
		// This check comes before any request, so that a host that keeps failing is not contacted at all.
		const attempt = this.#options.services.health.of(this.#lastHost, this.id).begin();
		return orElse(
			() => this.#prepare(request, conversation, observer, attempt, variation),
			(error) => {
				attempt.failed(toGatewayError(error));
				throw error;
			},
		);
	}

	#prepare(
		asked: TurnRequest,
		conversation: RunConversation,
		observer: RunObserver<CursorRun>,
		permitted: HostAttempt,
		variation: RunVariation | undefined,
	): Soon<OpenedRun> {
		const choices = this.#options.choices();
		const choosing = this.#options.facts.catalog.resolve({
			name: asked.model,
			effort: asked.thinking.effort,
			maxMode: asked.maxMode,
			window: asked.contextWindow,
			spelling: choices.spelling,
		});
		// Both may have to ask Cursor, and do so at the same time.
		const { clock } = this.#options.services;
		const begun = clock.now();
		const finding = this.#runAccount(variation?.privateHost ?? choices.privateHost, this.#searchesFor(asked));
		return soon(choosing, (choice) =>
			soon(finding, (account) => {
				const hasAsked = choosing instanceof Promise || finding instanceof Promise;
				const askedMs = hasAsked ? clock.now() - begun : 0;
				const planned = this.#plan(asked, conversation, choices, choice, variation);
				return soon(planned.drivers[0].prepare?.(planned.plan), () => ({
					...this.#open(planned, account, choice, observer, permitted),
					askedMs,
				}));
			}),
		);
	}

	/** What to send in which protocol. */
	#plan(
		asked: TurnRequest,
		conversation: RunConversation,
		{ systemPrompt, toolChannel, cacheTokens, waitsOverHttp1 }: RunChoices,
		choice: ModelChoice,
		variation: RunVariation | undefined,
	): PlannedRun {
		const { facts, environment, protocols } = this.#options;
		const mode = asked.mode ?? choice.mode ?? this.#options.mode;
		const request = mode === asked.mode ? asked : { ...asked, ...(mode && { mode }) };
		const chosen = protocols.choose(choice.named, facts.client.baseUrl);
		const { warnings } = chosen;
		const drivers = variation
			? ([variation.driver?.(chosen.drivers[0]) ?? chosen.drivers[0]] as const)
			: chosen.drivers;
		warnings.push(...choice.warnings);
		const { effort } = asked.thinking;
		const isEffortSent = effort !== undefined && drivers[0].sendsEffort?.(effort) === true;
		if (!isEffortSent) warnings.push(...choice.effortWarnings);
		const named = variation?.model;
		const [model, otherSpelling] = named ? [named] : wireModels(choice.candidates);
		warnings.push(...lostWishes(drivers[0].protocol, mode, model, this.#searchesFor(request)));
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
			searchesWeb: this.#searchesFor(request),
			ghostMode: facts.privacy.known,
		};
		return { plan, drivers, otherSpelling, warnings };
	}

	#open(
		{ plan, drivers, otherSpelling, warnings }: PlannedRun,
		account: RunAccount,
		choice: ModelChoice,
		observer: RunObserver<CursorRun>,
		permitted: HostAttempt,
	): Omit<OpenedRun, "askedMs"> {
		const { facts, services } = this.#options;
		const attempt = this.#attemptAt(account.origin(drivers[0].protocol), permitted);
		const explain = (error: GatewayError, protocol: ProtocolName) => {
			const windowTokens = windowOf(choice);
			if (windowTokens !== undefined) error.overflow.windowTokens = windowTokens;
			return withOtherVersions(
				withNearNames(error, () => facts.catalog.suggest(choice.named)),
				identityFor(this.#options, protocol),
			);
		};
		const parts = { plan, answering: choice.answers, otherSpelling, drivers, attempt, explain };
		const watch = new WatchedRun(this.#options, { plan, choice, otherSpelling, warnings, observer });
		return { run: new CursorRun(account, parts, services, watch), warnings };
	}

	/** The run may go to another host than the one whose health was checked. */
	#attemptAt(host: URL, permitted: HostAttempt): HostAttempt {
		if (host === this.#lastHost || host.origin === this.#lastHost.origin) return permitted;
		permitted.left();
		this.#lastHost = host;
		return this.#options.services.health.of(host, this.id).begin();
	}

	#runAccount(privateHost: RunChoices["privateHost"], searchesWeb: boolean): Soon<RunAccount> {
		return soon(
			this.#options.facts.hosts.resolve(privateHost),
			(hosts) => new RunAccess(this.#options, hosts, searchesWeb),
		);
	}

	/** The owner lets Cursor search, and the client wants it. */
	#searchesFor({ webSearch }: TurnRequest): boolean {
		return this.#options.services.approveWeb && webSearch !== undefined;
	}
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
