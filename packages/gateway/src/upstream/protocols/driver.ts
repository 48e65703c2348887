import type { Soon } from "../../time/soon.ts";
import type { Effort, TurnRequest } from "../../turn/request.ts";
import type { CountUnknown } from "../census/census.ts";
import type { ChannelChooser } from "../channels/channel-chooser.ts";
import type { ObserveTurn } from "../run/observe.ts";
import type { SizeLimits } from "../run/size-limits.ts";
import type { CacheTokens } from "./agent/run-work.ts";
import type { Machine } from "./machine.ts";
import type { StoredConversation } from "./stored-conversation.ts";

export type ProtocolName = "agent" | "unified" | "legacy";

/**
 * The places where a system prompt can travel; the model reads it as often as Cursor reads one of them. `custom`
 * replaces Cursor's own prompt, which few accounts may; `all` is every other place at once.
 */
export type SystemPromptChannel = "cloud-rule" | "rules" | "root" | "custom" | "all";

/** The places where the client's tools can be offered. */
export type ToolChannel = "run-request" | "request-context" | "both";

/** What the model learns about the user's computer: as little as it needs. */
export interface Environment {
	osVersion: string;
	timeZone: string;
}

/** A model as the wire names it. */
export interface WireModel {
	id: string;
	parameters: Readonly<Record<string, string>>;
	maxMode: boolean;
	/** The one name that says it all, for protocols without parameters. */
	name: string;
}

/** What a run is to do, independent of any protocol. */
export interface RunPlan {
	request: TurnRequest;
	/** Goes on from here with the last message alone; undefined: the whole history travels. */
	stored: StoredConversation | undefined;
	conversationId: string;
	runId: string;
	model: WireModel;
	systemPrompt: SystemPromptChannel;
	toolChannel: ToolChannel;
	environment: Environment;
	/** Cursor may search the web on its own servers, as the client wants. */
	searchesWeb?: boolean;
	/** True: Cursor keeps nothing of the content. */
	ghostMode: boolean;
	/** Takes precedence over the one of `MachineServices`. */
	cacheTokens?: CacheTokens;
	/** False: a run over HTTP/1.1 is over at its calls, and their results begin another. */
	waitsOverHttp1?: boolean;
}

/** What machines need from outside. */
export interface MachineServices {
	newId(): string;
	newCallId(): string;
	/** Whether Cursor's count of input includes what a cache had to do with. */
	cacheTokens: CacheTokens;
	limits: SizeLimits;
	/** Hears what the frames show of the server. */
	observe?: ObserveTurn | undefined;
}

/** A machine at the beginning of a run, and the message that opens its stream. */
export interface BegunRun {
	machine: Machine;
	first: Uint8Array;
}

/** One of Cursor's protocols as a run drives it: a machine, and the channels that carry it. */
export interface Driver {
	readonly protocol: ProtocolName;
	readonly channels: ChannelChooser;
	/** Looks at what the server sends. */
	readonly countUnknown: CountUnknown;
	/** Whether a request has a field for this effort, apart from the model. */
	sendsEffort?(effort: Effort): boolean;
	/** Does in slices what `begin` would take long for with a long conversation. */
	prepare?(plan: RunPlan): Soon<void>;
	/** Throws a `GatewayError` where the protocol cannot express the request. */
	begin(plan: RunPlan, services: MachineServices): BegunRun;
}
