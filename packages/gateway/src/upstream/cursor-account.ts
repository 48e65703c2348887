import { randomUUID } from "node:crypto";
import type { TurnRequest } from "../turn/request.ts";
import type { AccountFacts } from "./account-facts.ts";
import type { Environment } from "./agent/request-context.ts";
import type { StoredConversation, SystemPromptChannel } from "./agent/run-request.ts";
import type { ModelCandidate } from "./catalog/resolve-model.ts";
import { type ClientIdentity, runHeaders } from "./identity.ts";
import { AgentRun, type RunAccount, type RunObserver, type RunServices } from "./run.ts";
import type { TokenSource } from "./token-source.ts";

export interface CursorAccountOptions {
	/** Stable name of the account, never a secret. */
	id: string;
	facts: AccountFacts;
	tokens: TokenSource;
	services: RunServices;
	identity: ClientIdentity;
	systemPrompt: SystemPromptChannel;
	environment: Environment;
	/** Milliseconds of the epoch. */
	now(): number;
}

/** Which conversation a run belongs to, and where it goes on from. */
export interface RunConversation {
	conversationId: string;
	stored?: StoredConversation;
}

export interface OpenedRun {
	run: AgentRun;
	/** The model as Cursor's list has it, or as the client spelt it. */
	model: string;
	warnings: string[];
}

/** Only the client's own tools are for the model; Cursor's run on machines that are not the user's. */
const ALLOWED_TOOLS = ["mcp_tool_call"];
/** Near enough for a count that is replaced as soon as Cursor gives its own. */
const CHARACTERS_PER_TOKEN = 4;

/** One Cursor account as the gateway uses it: models, facts, and runs. */
export class CursorAccount {
	readonly id: string;
	readonly facts: AccountFacts;
	readonly #options: CursorAccountOptions;

	constructor(options: CursorAccountOptions) {
		this.id = options.id;
		this.facts = options.facts;
		this.#options = options;
	}

	/** A run that is ready to start. Rejects with a `GatewayError` where the account cannot be used. */
	async prepareRun(request: TurnRequest, conversation: RunConversation, observer: RunObserver): Promise<OpenedRun> {
		const { facts, services, systemPrompt, environment } = this.#options;
		const [choice, account] = await Promise.all([
			facts.catalog.resolve({ name: request.model, effort: request.thinking.effort }),
			this.#runAccount(),
		]);
		const [first, second] = choice.candidates;
		const plan = {
			request,
			stored: conversation.stored,
			conversationId: conversation.conversationId,
			runId: randomUUID(),
			model: modelOf(first),
			systemPrompt,
			environment,
		};
		const run = new AgentRun(
			account,
			{ plan, otherSpelling: second && modelOf(second), estimatedInputTokens: estimateTokens(request) },
			services,
			{
				...observer,
				over: (self, how) => {
					if (how === "ended" && second && self.model.id === second.modelId && self.model !== plan.model) {
						void facts.catalog.remember(choice.model?.id ?? first.modelId, second.spelling);
					}
					// A host of the wrong region fails in many ways; the next run asks again which one is right.
					if (how === "failed") facts.hosts.forget();
					observer.over?.(self, how);
				},
			},
		);
		return { run, model: choice.model?.id ?? request.model, warnings: choice.warnings };
	}

	async #runAccount(): Promise<RunAccount> {
		const { id, facts, tokens, identity, now } = this.#options;
		const hosts = await facts.hosts.resolve();
		let token = "";
		return {
			key: id,
			agentOrigin: hosts.agentUrl,
			http: hosts.http2Config === "unset" ? undefined : hosts.http2Config,
			async headers(requestId, originalRequestId) {
				token = await tokens.token();
				const ghostMode = await facts.privacy.ghostMode();
				return runHeaders(identity, {
					token,
					ghostMode,
					requestId,
					originalRequestId,
					allowedTools: ALLOWED_TOOLS,
					now: now(),
				});
			},
			tokenRefused: () => tokens.tokenRefused(token),
		};
	}
}

function modelOf({ modelId, parameters, maxMode }: ModelCandidate) {
	return { id: modelId, parameters, maxMode };
}

function estimateTokens(request: TurnRequest): number {
	let characters = request.system.reduce((sum, text) => sum + text.length, 0);
	for (const { content } of request.messages) {
		for (const part of content) {
			if (part.type === "tool-result")
				for (const each of part.content) characters += each.type === "text" ? each.text.length : 0;
			else if (part.type === "tool-call") characters += part.arguments.length;
			else if (part.type !== "image") characters += part.text.length;
		}
	}
	return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
