import { setTimeout as sleep } from "node:timers/promises";
import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { InteractionQuerySchema, InteractionUpdateSchema } from "@cursorwire/protocol/agent";
import { Dropped } from "../../bidi/client-gone.ts";
import { actionFailure } from "../../brains/action-failure.ts";
import type { Action, Call, CallResult, ExecRequest, Message, SearchOutcome } from "../../brains/brain.ts";
import { RpcFailure } from "../../rpc/failure.ts";
import type { Bill } from "../../token-usage/bill.ts";
import { estimateTokens } from "../../token-usage/estimate-tokens.ts";
import { callTokens, promptTokens, resultTokens } from "../../token-usage/prompt-tokens.ts";
import type { ExecAnswer } from "../stream/exec-answers.ts";
import { answerText, shellOutput } from "./builtin-call.ts";
import { ToolPlayer, type ToolPlayerParts } from "./tool-player.ts";
import { searchText } from "./web-search.ts";

export interface PlayerParts extends ToolPlayerParts {
	bill: Bill;
	checkpoint(): Promise<unknown>;
	/** Takes up what the client has sent for this turn in the meantime, and returns it. */
	deliver(step: number): Promise<Message[]>;
}

/**
 * Turns the actions of a brain into frames, and the client's answers into what the brain resumes with. The frames are
 * those of docs/protocol.md, Updates; the conformance case `frames` checks their order with SDK 1.0.32.
 */
export class Player {
	usage: NonNullable<Action["usage"]> = {};
	readonly #parts: PlayerParts;
	readonly #tools: ToolPlayer;
	readonly #startsSteps: boolean;
	#thinkingSince: number | undefined;
	#step = 0;
	#stepIsOpen = false;

	constructor(parts: PlayerParts) {
		this.#parts = parts;
		this.#tools = new ToolPlayer(parts);
		this.#startsSteps = parts.backend.switches.get("step-updates") === "both";
	}

	async play(action: Action): Promise<unknown> {
		const { link } = this.#parts;
		if (action.thinking === undefined) this.#endThinking();
		this.#startStep(action);
		if (action.thinking !== undefined) return this.#think(action.thinking);
		if (action.text !== undefined) return this.#say(action.text);
		if (action.calls) return this.#callTools(action.calls);
		if (action.exec) return this.#execute(action.exec);
		if (action.search !== undefined) return this.#search(action.search);
		if (action.query) return link.query(queryMessage(action.query));
		if (action.update) return this.#update(action.update);
		if (action.usage) {
			this.usage = { ...this.usage, ...action.usage };
			return;
		}
		if (action.checkpoint) return this.#parts.checkpoint();
		if (action.delay !== undefined) return sleep(action.delay, undefined, { signal: link.channel.clientGone });
		if (action.error) throw actionFailure(action.error);
		if (action.drop) {
			link.channel.drop();
			throw new Dropped();
		}
		if (action.hang) return this.#hang(action.hang);
		throw new RpcFailure("internal", `the brain yielded an action of no known kind: ${Object.keys(action)}`);
	}

	/** Closes what is open. Called before the turn ends. */
	finish(): void {
		this.#endThinking();
		if (this.#stepIsOpen) this.#completeStep();
	}

	/** A step is what the model says at once, with the tools that it calls. */
	#startStep({ thinking, text, calls, exec, search }: Action): void {
		if (!this.#startsSteps || this.#stepIsOpen || (thinking ?? text ?? calls ?? exec ?? search) === undefined) return;
		this.#stepIsOpen = true;
		this.#parts.link.update({ case: "stepStarted", value: { stepId: BigInt(this.#step + 1) } });
	}

	#completeStep(): void {
		this.#stepIsOpen = false;
		const stepId = BigInt(++this.#step);
		this.#parts.link.update({ case: "stepCompleted", value: { stepId, stepDurationMs: 0n } });
	}

	async #think(text: string): Promise<void> {
		const { link, transcript } = this.#parts;
		this.#thinkingSince ??= Date.now();
		transcript.thinking(text);
		link.update({ case: "thinkingDelta", value: { text: Buffer.from(text) } });
		this.#wrote(estimateTokens(text), "thinking");
		await link.channel.ready();
	}

	async #say(text: string): Promise<void> {
		const { link, transcript } = this.#parts;
		transcript.text(text);
		link.update({ case: "textDelta", value: { text: Buffer.from(text) } });
		this.#wrote(estimateTokens(text), "text");
		await link.channel.ready();
	}

	#wrote(tokens: number, what: "text" | "thinking" | "call"): void {
		const { bill, backend, link } = this.#parts;
		bill.wrote(tokens, what === "thinking");
		const told = backend.switches.get("usage");
		const isTold = told === "told" || (told === "without-calls" && what !== "call");
		if (isTold && tokens > 0) link.update({ case: "tokenDelta", value: { tokens } });
	}

	#endThinking(): void {
		if (this.#thinkingSince === undefined) return;
		const thinkingDurationMs = Date.now() - this.#thinkingSince;
		this.#thinkingSince = undefined;
		this.#parts.link.update({ case: "thinkingCompleted", value: { thinkingDurationMs } });
	}

	#update(update: NonNullable<Action["update"]>): void {
		const json = { [update.kind]: update.args ?? {} } as JsonValue;
		this.#parts.link.update(fromJson(InteractionUpdateSchema, json).message);
	}

	async #callTools(calls: Call[]): Promise<CallResult[]> {
		const results = await this.#tools.callTools(calls, () => {
			for (const call of calls) this.#wrote(callTokens(call), "call");
		});
		await this.#afterTools(results.map(({ text }) => text));
		return results;
	}

	async #execute(requests: ExecRequest | ExecRequest[]): Promise<unknown> {
		const list = Array.isArray(requests) ? requests : [requests];
		for (const { kind, args } of list) this.#wrote(callTokens({ name: kind, arguments: args }), "call");
		const answers = await Promise.all(list.map((request) => this.#tools.execute(request)));
		await this.#afterTools(answers.map(answerText));
		const results = answers.map(execResult);
		return Array.isArray(requests) ? results : results[0];
	}

	async #search(term: string): Promise<SearchOutcome> {
		this.#wrote(callTokens({ name: "web_search", arguments: { search_term: term } }), "call");
		const outcome = await this.#tools.search(term);
		await this.#afterTools([searchText(outcome)]);
		return outcome;
	}

	/** A step with tools is complete: says so, sends a checkpoint, and falls silent if the switch says so. */
	async #afterTools(results: readonly string[]): Promise<void> {
		const { link, backend, bill } = this.#parts;
		bill.read(results.reduce((tokens, result) => tokens + resultTokens(result), 0));
		this.#completeStep();
		const delivered = await this.#parts.deliver(this.#step);
		if (delivered.length > 0) bill.read(promptTokens({ system: [], rules: [], tools: [], messages: delivered }));
		await this.#parts.checkpoint();
		if (link.channel.rpc === "RunSSE" && backend.switches.get("sse-after-tool") === "silent") await link.gone();
	}

	async #hang(how: true | "heartbeats"): Promise<never> {
		if (how === true) this.#parts.link.mute();
		return this.#parts.link.gone();
	}
}

function queryMessage(query: NonNullable<Action["query"]>) {
	const json = { [query.kind]: query.args ?? {} } as JsonValue;
	return fromJson(InteractionQuerySchema, json).query;
}

function execResult(answer: ExecAnswer): unknown {
	if (answer.thrown) return { thrown: answer.thrown };
	const last = answer.messages.at(-1);
	return last?.case === "shellStream" ? shellOutput(answer) : last;
}
