import { randomUUID } from "node:crypto";
import { orElse, type Soon, soon } from "../../time/soon.ts";
import { type GatewayError, toGatewayError } from "../../turn/error.ts";
import { refuseLinkedImages } from "../../turn/linked-images.ts";
import type { TurnMode, TurnRequest } from "../../turn/request.ts";
import { withNearNames } from "../catalog/names/near-names.ts";
import type { ModelCandidate, ModelChoice } from "../catalog/resolve-model.ts";
import { isHostFault, WrongHost } from "../errors/host-fault.ts";
import { withOtherVersions } from "../errors/outdated-client.ts";
import type { HealthReport, HostAttempt } from "../health/host-health.ts";
import type { Driver, Environment, ProtocolName, RunPlan, WireModel } from "../protocols/driver.ts";
import type { Protocols } from "../protocols/protocols.ts";
import type { StoredConversation } from "../protocols/stored-conversation.ts";
import { CursorRun } from "../run/run.ts";
import type { RunChoices } from "../run/run-choices.ts";
import type { RunObserver } from "../run/run-observer.ts";
import type { RunAccount, RunServices } from "../run/run-parts.ts";
import type { AccountFacts } from "./account-facts.ts";
import type { Hosts } from "./hosts.ts";
import { type ClientIdentity, olderHeaders, runHeaders } from "./identity.ts";
import { lostWishes } from "./lost-wishes.ts";
import type { TokenSource } from "./token-source.ts";

export interface CursorAccountOptions {
	/** Stable name of the account, never a secret. */
	id: string;
	facts: AccountFacts;
	tokens: TokenSource;
	services: RunServices;
	identity: ClientIdentity;
	/** The client that the gateway identifies itself as in the older protocols. */
	chatIdentity(protocol: ProtocolName): ClientIdentity;
	protocols: Protocols;
	/** What to do where servers differ. Read before each run. */
	choices(): RunChoices;
	/** The mode for requests that do not set one. If undefined, it follows from the request's tools. */
	mode: TurnMode | undefined;
	environment: Environment;
	/** Milliseconds since the epoch. */
	now(): number;
}

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
}

/** A run as it will be put to Cursor. */
interface PlannedRun {
	plan: RunPlan;
	drivers: readonly [Driver, ...Driver[]];
	otherSpelling: WireModel | undefined;
	warnings: string[];
}

/** The model may only use the client's own tools, because Cursor's run on machines that are not the user's. */
const ALLOWED_TOOLS = "mcp_tool_call";

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
		const finding = this.#runAccount(variation?.privateHost ?? choices.privateHost);
		return soon(choosing, (choice) =>
			soon(finding, (account) => {
				const planned = this.#plan(asked, conversation, choices, choice, variation);
				return soon(planned.drivers[0].prepare?.(planned.plan), () =>
					this.#open(planned, account, choice, observer, permitted),
				);
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
		warnings.push(...lostWishes(drivers[0].protocol, mode, model));
		const plan = {
			request,
			stored: conversation.stored,
			conversationId: conversation.conversationId,
			runId: randomUUID(),
			model,
			systemPrompt,
			toolChannel,
			cacheTokens,
			waitsOverHttp1,
			environment,
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
	): OpenedRun {
		const { facts, services, protocols } = this.#options;
		const { model } = plan;
		const { mode } = plan.request;
		const attempt = this.#attemptAt(account.origin(drivers[0].protocol), permitted);
		const explain = (error: GatewayError) =>
			withOtherVersions(
				withNearNames(error, () => facts.catalog.suggest(choice.named)),
				this.#identityOf(run.protocol),
			);
		const parts = { plan, answering: choice.answers, otherSpelling, drivers, attempt, explain };
		const run: CursorRun = new CursorRun(account, parts, services, {
			parked: (self) => observer.parked?.(self),
			replied: (self, message) => observer.replied?.(self, message),
			retried: (self, reason) => observer.retried?.(self, reason),
			switched: (from, to) => {
				warnings.push(protocols.switched(facts.client.baseUrl, from, to), ...lostWishes(to, mode, model));
			},
			over: (self, how, error) => {
				const [first, second] = choice.candidates;
				if (how === "ended" && second && self.protocol === "agent" && self.model === otherSpelling) {
					void facts.catalog.remember(choice.model?.id ?? first.modelId, second.spelling);
					if (second.spelling !== "plain" && first.spelling !== "plain") {
						services.observe?.(this.id, "model-form", second.spelling);
					}
				}
				// The next run looks up the right host again.
				if (error && isHostFault(error)) facts.hosts.forget();
				if (error?.cause instanceof WrongHost) services.observe?.(this.id, "privacy-host", "refused");
				observer.over?.(self, how, error);
			},
		});
		return { run, warnings };
	}

	/** The run may go to another host than the one whose health was checked. */
	#attemptAt(host: URL, permitted: HostAttempt): HostAttempt {
		if (host.origin === this.#lastHost.origin) return permitted;
		permitted.left();
		this.#lastHost = host;
		return this.#options.services.health.of(host, this.id).begin();
	}

	#identityOf(protocol: ProtocolName): ClientIdentity {
		const { identity, chatIdentity } = this.#options;
		return protocol === "agent" ? identity : chatIdentity(protocol);
	}

	#runAccount(privateHost: RunChoices["privateHost"]): Soon<RunAccount> {
		return soon(this.#options.facts.hosts.resolve(privateHost), (hosts) => this.#accountAt(hosts));
	}

	#accountAt(hosts: Hosts): RunAccount {
		const { id, facts, tokens, environment, now } = this.#options;
		const identityOf = (protocol: ProtocolName) => this.#identityOf(protocol);
		let token = "";
		return {
			key: id,
			origin: (protocol) => (protocol === "agent" ? hosts.agentUrl : facts.client.baseUrl),
			http: hosts.http2Config === "unset" ? undefined : hosts.http2Config,
			headers: (protocol, requestId, originalRequestId) =>
				soon(tokens.token(), (current) =>
					soon(facts.privacy.ghostMode(), (ghostMode) => {
						token = current;
						const identity = identityOf(protocol);
						const time = now();
						return protocol === "agent"
							? runHeaders(identity, {
									token,
									ghostMode,
									requestId,
									now: time,
									originalRequestId,
									allowedTools: ALLOWED_TOOLS,
								})
							: olderHeaders(identity, {
									token,
									ghostMode,
									requestId,
									now: time,
									timeZone: environment.timeZone,
								});
					}),
				),
			tokenRefused: () => tokens.tokenRefused(token),
		};
	}
}

/** The candidates as named on the wire. The older protocols have no parameters, only a single name. */
function wireModels(candidates: readonly [ModelCandidate, ...ModelCandidate[]]): [WireModel, WireModel?] {
	const plain = candidates.filter(({ parameters }) => Object.keys(parameters).length === 0);
	const names = [...new Set([...plain, ...candidates].map(({ modelId }) => modelId))];
	const wire = ({ modelId, parameters, maxMode }: ModelCandidate, name = names[0]!) => ({
		id: modelId,
		parameters,
		maxMode,
		name,
	});
	const [first, second] = candidates;
	return second ? [wire(first), wire(second, names[1])] : [wire(first)];
}
