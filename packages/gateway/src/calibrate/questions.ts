import type { TurnId } from "./turns.ts";

/**
 * Where an answer comes from: requests that reach no model, any probe turn, the users' own turns, or the probe turns
 * that are listed.
 */
type Way = "free" | "any turn" | "ordinary traffic" | readonly TurnId[];

export interface Question {
	/** The question in words. */
	title: string;
	way: Way;
	/** What the gateway does differently because of the answer; "nothing" if it handles every answer anyway. */
	changes: string;
	/** Asked only with `--all`, because it costs more. */
	isCostly?: true;
}

/**
 * Every question about the server on which other public clients disagree. Where the emulator has a switch for a
 * question, both have the same name and the same values.
 */
export const QUESTIONS = {
	"agent-service": {
		title: "Are runs served by the agent service?",
		way: "free",
		changes: "nothing: the unified protocol is used when it is missing",
	},
	"client-version": {
		title: "Is this client version accepted?",
		way: "free",
		changes: "nothing: set clientVersion if it is too old",
	},
	"http2-config": {
		title: "Which HTTP version does the server ask for?",
		way: "free",
		changes: "nothing: each account is asked",
	},
	"enveloped-unary": {
		title: "Are plain answers wrapped in an envelope?",
		way: "free",
		changes: "nothing: both are read",
	},
	"privacy-host": {
		title: "Which agent host serves accounts in privacy mode?",
		way: "free",
		changes: "the host that runs go to",
	},
	refresh: {
		title: "Which call renews the login?",
		way: "free",
		changes: "the call that is tried first",
	},
	"post-poll": {
		title: "Is a browser login polled by POST?",
		way: "free",
		changes: "nothing: a login switches to GET on its own",
	},
	"system-prompt": {
		title: "Which places of a system prompt reach the model?",
		way: ["words"],
		changes: "the one place where system prompts travel",
	},
	"tools-from": {
		title: "Where are the client's tools read?",
		way: ["words", "one-place", "again"],
		changes: "the one place where tools are offered",
	},
	"tools-twice": {
		title: "Does a run stall over tools in two places?",
		way: ["words", "one-place"],
		changes: "nothing: tools travel in one place",
	},
	"request-context": {
		title: "Does the server ask for the request context?",
		way: ["words", "parameters", "flattened"],
		changes: "nothing: it is sent, and sent again if asked for",
	},
	"checkpoint-users": {
		title: "Does a checkpoint keep what the user said?",
		way: ["again"],
		changes: "nothing: a checkpoint with emptied messages is not used",
	},
	"exclude-workspace-context": {
		title: "Is exclude_workspace_context accepted?",
		way: ["again"],
		changes: "nothing: it is not used",
	},
	"conversation-history": {
		title: "What happens to a typed history next to a message?",
		way: ["words", "one-place"],
		changes: "nothing: histories travel as stored messages",
	},
	"sse-after-tool": {
		title: "Does a run over HTTP/1.1 continue after a tool?",
		way: ["http1"],
		changes: "whether a run over HTTP/1.1 waits for tool results",
	},
	"model-form": {
		title: "How must a variant of a model be named?",
		way: ["parameters", "flattened"],
		changes: "the spelling that is tried first",
	},
	"wrong-model-form": {
		title: "What is the response to a wrong variant name?",
		way: ["parameters", "flattened"],
		changes: "nothing: all refusals lead to the other spelling",
	},
	"system-twice": {
		title: "Is a system prompt in three places counted three times?",
		way: ["parameters", "flattened"],
		changes: "nothing: it travels in one place",
	},
	"max-mode": {
		title: "Does a long context need Max Mode?",
		way: ["long-context"],
		changes: "nothing: a run with a long context asks for Max Mode",
		isCostly: true,
	},
	"tool-call-order": {
		title: "In which order is a call announced?",
		way: "any turn",
		changes: "nothing: all orders are read",
	},
	"tool-requests-listed": {
		title: "Does the server announce the number of calls?",
		way: "any turn",
		changes: "nothing: without it, the gateway waits briefly for further calls",
	},
	"last-checkpoint": {
		title: "When does the last checkpoint come?",
		way: "any turn",
		changes: "nothing: the newest one counts",
	},
	"pending-tool-calls": {
		title: "Does a checkpoint name the calls that follow?",
		way: "any turn",
		changes: "nothing: a call counts when it is asked for",
	},
	"step-updates": {
		title: "Does the server announce the beginning of each step?",
		way: "any turn",
		changes: "nothing: it is a sign of life",
	},
	"long-conversation": {
		title: "What happens to a conversation that is too long?",
		way: "ordinary traffic",
		changes: "nothing: a refusal reaches the client, a summary goes into the checkpoint",
	},
	usage: {
		title: "What does the server report about tokens?",
		way: "any turn",
		changes: "nothing: what is not reported is estimated",
	},
	"cache-tokens": {
		title: "Do input tokens include those read from a cache?",
		way: "ordinary traffic",
		changes: "how input tokens are counted",
	},
	"unknown-query-answer": {
		title: "Is an empty answer to an unknown query enough?",
		way: "ordinary traffic",
		changes: "nothing: it is the only answer there is",
	},
	"chat-service": {
		title: "Is the unified protocol served?",
		way: ["chat"],
		changes: "nothing: it is used only if the agent service is missing",
	},
	"chat-tool-calls": {
		title: "Does the unified protocol ask for calls, or only show them?",
		way: ["chat"],
		changes: "nothing: both are taken",
	},
	"chat-arguments": {
		title: "Do arguments come whole on the unified protocol?",
		way: ["chat"],
		changes: "nothing: both are read",
	},
	"chat-thinking": {
		title: "Where does the unified protocol send thinking?",
		way: ["chat"],
		changes: "nothing: both are read",
	},
	"idempotent-stream": {
		title: "Does an idempotent chat outlive its connection?",
		way: ["chat"],
		changes: "nothing: the server says so in each chat",
	},
} as const satisfies Record<string, Question>;

export type QuestionId = keyof typeof QUESTIONS;

export const QUESTION_IDS = Object.keys(QUESTIONS) as QuestionId[];
