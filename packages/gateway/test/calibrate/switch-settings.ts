// The emulator's switches as a test sets them, and what nobody can find out of them.
import { SWITCHES, type SwitchName } from "../../../emulator/src/switches.ts";
import type { QuestionId } from "../../src/calibrate/questions.ts";

export type SwitchSettings = Record<SwitchName, string>;

export const SWITCH_NAMES = Object.keys(SWITCHES) as SwitchName[];

export const valuesOf = (name: SwitchName): readonly string[] => SWITCHES[name].values;

export function withSettings(changed: Partial<SwitchSettings>): SwitchSettings {
	const defaults = Object.fromEntries(SWITCH_NAMES.map((name) => [name, SWITCHES[name].default]));
	return { ...(defaults as SwitchSettings), ...changed };
}

export const asOptions = (settings: SwitchSettings): string[] =>
	Object.entries(settings).map(([name, value]) => `${name}=${value}`);

type Reason = (settings: SwitchSettings) => string | undefined;

const noAgent: Reason = (set) =>
	set["client-version"] === "outdated"
		? "the client version is refused"
		: set["agent-service"] === "unimplemented"
			? "no run is served"
			: undefined;

const noChat: Reason = (set) =>
	set["client-version"] === "outdated"
		? "the client version is refused"
		: set["chat-service"] === "on"
			? undefined
			: "no older chat is served";

/** Why a switch cannot be told from outside; undefined where it can. Every switch is here. */
const HIDDEN: Record<SwitchName, Reason> = {
	"system-prompt": noAgent,
	"tools-from": noAgent,
	"tools-twice": noAgent,
	"request-context": noAgent,
	"privacy-host": () => undefined,
	refresh: () => undefined,
	"checkpoint-users": noAgent,
	"model-form": noAgent,
	"wrong-model-form": (set) => noAgent(set) ?? (set["model-form"] === "both" ? "no form is wrong" : undefined),
	"max-mode": (set) =>
		noAgent(set) ?? (set["model-form"] === "flattened" ? "the long context has no name of its own" : undefined),
	"unknown-query-answer": () => "nobody can make the server ask it",
	"sse-after-tool": noAgent,
	"exclude-workspace-context": noAgent,
	"tool-call-order": noAgent,
	"tool-requests-listed": (set) => noAgent(set) && noChat(set),
	"last-checkpoint": noAgent,
	usage: (set) =>
		noAgent(set) && (noChat(set) ?? (set.usage === "silent" ? undefined : "the older chat tells one sum")),
	"http2-config": () => undefined,
	"agent-service": (set) => (set["client-version"] === "outdated" ? "the client version is refused" : undefined),
	"chat-service": (set) => (set["client-version"] === "outdated" ? "the client version is refused" : undefined),
	"chat-arguments": (set) =>
		noChat(set) ??
		(set["chat-tool-calls"] === "shown-only" ? "calls are only shown" : undefined) ??
		(set["chat-arguments"] === "streamed" && set["tool-call-order"] === "started-only"
			? "nothing is streamed"
			: undefined),
	"chat-tool-calls": noChat,
	"chat-thinking": noChat,
	"idempotent-stream": noChat,
	"enveloped-unary": () => undefined,
	"client-version": () => undefined,
	"post-poll": () => undefined,
	"conversation-history": noAgent,
	"sign-in-policy": () => "only a new login shows it, and who is refused has no account",
	"long-conversation": () => "a prompt as long as a window would cost too much",
	"pending-tool-calls": noAgent,
	"step-updates": noAgent,
};

export const hiddenReason = (name: SwitchName, settings: SwitchSettings) => HIDDEN[name](settings);

/** Nothing that this version can do works with such a server. */
export function isHopeless(settings: SwitchSettings): boolean {
	if (settings["client-version"] === "outdated") return true;
	return settings["agent-service"] === "unimplemented" && settings["chat-service"] !== "on";
}

/** Switches and questions have the same names, but for what is settled before there is an account. */
export const questionOf = (name: SwitchName): QuestionId => name as Exclude<SwitchName, "sign-in-policy">;
