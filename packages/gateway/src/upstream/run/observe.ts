/** A fact about a server, seen in a turn, in which servers differ. */
export type Fact =
	| "agent-service"
	| "cache-tokens"
	| "chat-arguments"
	| "chat-calls-listed"
	| "chat-thinking"
	| "chat-tool-calls"
	| "chat-usage"
	| "checkpoint-users"
	| "client-version"
	| "context-asked"
	| "enveloped-unary"
	| "forced-call"
	| "idempotent-stream"
	| "last-checkpoint"
	| "long-conversation"
	| "model-form"
	| "pending-tool-calls"
	| "privacy-host"
	| "refused-place"
	| "sse-after-tool"
	| "step-updates"
	| "tool-call-order"
	| "tool-requests-listed"
	| "unknown-query-answer"
	| "usage";

/** Hears what a turn showed, and for which account. */
export type Observe = (account: string, fact: Fact, value: string) => void;

/** The same, where the account is known. */
export type ObserveTurn = (fact: Fact, value: string) => void;
