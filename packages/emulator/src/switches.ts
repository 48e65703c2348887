// Behaviours of Cursor's backend that depend on the account, or that other projects describe differently. Each has a
// switch, so that a client can be tested against every possibility.

interface SwitchEntry {
	values: readonly string[];
	default: string;
	about: string;
}

export const SWITCHES = {
	"system-prompt": {
		values: ["rules", "cloud-rule", "root", "all"],
		default: "all",
		about: "which channel of a system prompt reaches the model",
	},
	"tools-from": {
		values: ["both", "run-request", "request-context"],
		default: "both",
		about: "where the server reads the client's tools",
	},
	"tools-twice": {
		values: ["fine", "stall"],
		default: "fine",
		about: "what happens if tools are in the run request and in the request context",
	},
	"request-context": {
		values: ["ask", "ask-unless-sent", "never"],
		default: "ask-unless-sent",
		about: "whether the server asks for the request context by exec",
	},
	"privacy-host": {
		values: ["any", "agent", "agentn"],
		default: "any",
		about: "which of the two agent hosts serves an account in privacy mode; needs --agent-hosts",
	},
	refresh: {
		values: ["all", "exchange", "auth-refresh", "auth-token", "oauth-token", "none"],
		default: "all",
		about: "which refresh call works",
	},
	"checkpoint-users": {
		values: ["kept", "placeholder"],
		default: "kept",
		about: "whether a checkpoint keeps old user entries or empties them",
	},
	"model-form": {
		values: ["both", "parameters", "flattened"],
		default: "both",
		about: "how a variant must be named: base id with parameters, or one flattened id",
	},
	"wrong-model-form": {
		values: ["resource-exhausted", "not-found", "empty-turn"],
		default: "resource-exhausted",
		about: "how the other form is refused",
	},
	"max-mode": {
		values: ["ignored", "required-for-long-context"],
		default: "ignored",
		about: "whether max_mode has an effect",
	},
	"unknown-query-answer": {
		values: ["any", "strict"],
		default: "any",
		about: "whether an empty answer to an unknown interaction query keeps the turn alive",
	},
	"sse-after-tool": {
		values: ["continues", "silent"],
		default: "continues",
		about: "whether RunSSE continues after a tool result",
	},
	"exclude-workspace-context": {
		values: ["refused", "accepted"],
		default: "refused",
		about: "whether exclude_workspace_context = true is refused",
	},
	"tool-call-order": {
		values: ["partial-first", "started-first", "started-only"],
		default: "partial-first",
		about: "order of partial_tool_call and tool_call_started",
	},
	"tool-requests-listed": {
		values: ["sent", "absent"],
		default: "sent",
		about: "whether the server says how many calls a step has",
	},
	"last-checkpoint": {
		values: ["both", "before-turn-ended", "after-turn-ended"],
		default: "both",
		about: "when the last checkpoint comes",
	},
	usage: {
		values: ["told", "without-calls", "at-end", "silent"],
		default: "told",
		about: "what is sent of token counts: all, all but those of calls while they stream, only the totals, or nothing",
	},
	"http2-config": {
		values: ["0", "1", "2", "3", "4"],
		default: "0",
		about: "GetServerConfig.http2_config: 1, 3 force HTTP/1.1, 2, 4 force HTTP/2",
	},
	"agent-service": {
		values: ["on", "unimplemented"],
		default: "on",
		about: "whether agent.v1.AgentService serves runs",
	},
	"chat-service": {
		values: ["on", "update-required", "unsupported-region", "deprecated", "unimplemented"],
		default: "on",
		about: "how the RPCs of the older protocols respond",
	},
	"chat-arguments": {
		values: ["whole", "streamed"],
		default: "whole",
		about: "whether the unified protocol sends the arguments of a call at once or in pieces",
	},
	"chat-tool-calls": {
		values: ["asked", "shown-only"],
		default: "asked",
		about:
			"whether the unified protocol asks for a call, or only shows it (tool_call, field 13) and waits for its result",
	},
	"chat-thinking": {
		values: ["thinking", "intermediate-text"],
		default: "thinking",
		about: "the field in which the unified protocol sends thinking",
	},
	"idempotent-stream": {
		values: ["kept", "degraded"],
		default: "kept",
		about: "whether an idempotent stream outlives its connection",
	},
	"enveloped-unary": {
		values: ["off", "on"],
		default: "off",
		about: "whether unary responses are wrapped in an envelope despite application/proto",
	},
	"client-version": {
		values: ["any", "outdated"],
		default: "any",
		about: "whether the client version is refused as too old",
	},
	"post-poll": {
		values: ["on", "off"],
		default: "on",
		about: "whether POST /auth/poll exists; without it clients use GET",
	},
	"conversation-history": {
		values: ["ignored", "read", "refused"],
		default: "ignored",
		about: "what happens to the typed history that comes with a message (conversation_history, field 7)",
	},
	"sign-in-policy": {
		values: ["open", "refused"],
		default: "open",
		about: "whether the organisation's policy lets a browser login through",
	},
	"long-conversation": {
		values: ["kept", "compacted", "refused"],
		default: "kept",
		about:
			"what happens to a prompt larger than the model's window: a reply as usual, a summary in its place, an error",
	},
	"pending-tool-calls": {
		values: ["absent", "sent"],
		default: "absent",
		about: "whether a checkpoint with pending_tool_calls is sent before the client's tools are called",
	},
	"step-updates": {
		values: ["completed", "both"],
		default: "completed",
		about:
			"whether every step of a turn has step_started and step_completed, or only steps with tools have step_completed",
	},
} as const satisfies Record<string, SwitchEntry>;

export type SwitchName = keyof typeof SWITCHES;

/** The switches as set now. */
export class Switches {
	readonly #values = new Map<SwitchName, string>();

	/** Each entry reads `name=value`. Throws one line that says what is wrong. */
	constructor(settings: readonly string[] = []) {
		for (const setting of settings) this.set(setting);
	}

	set(setting: string): void {
		const [name = "", value = ""] = setting.split("=", 2);
		if (!(name in SWITCHES)) {
			throw new Error(`unknown switch "${name}" (known: ${Object.keys(SWITCHES).sort().join(", ")})`);
		}
		const entry: SwitchEntry = SWITCHES[name as SwitchName];
		if (!entry.values.includes(value)) {
			throw new Error(`switch "${name}" cannot be "${value}" (it can be: ${entry.values.join(", ")})`);
		}
		this.#values.set(name as SwitchName, value);
	}

	get<N extends SwitchName>(name: N): (typeof SWITCHES)[N]["values"][number] {
		return (this.#values.get(name) ?? SWITCHES[name].default) as (typeof SWITCHES)[N]["values"][number];
	}

	list(): Record<string, string> {
		return Object.fromEntries((Object.keys(SWITCHES) as SwitchName[]).map((name) => [name, this.get(name)]));
	}
}
