import type { AgentRunRequest, ConversationStateStructure, RequestContext } from "@cursorwire/protocol/agent";
import type { Backend } from "../backend.ts";
import type { Bill } from "../token-usage/bill.ts";
import type { Player } from "./playing/player.ts";
import type { RunModel } from "./request/choose-model.ts";
import type { Blobs } from "./stream/blobs.ts";
import type { AgentLink } from "./stream/link.ts";
import type { LiveActions } from "./turns/live-actions.ts";

/** What the turns of one run share. */
export interface Run {
	request: AgentRunRequest;
	link: AgentLink;
	backend: Backend;
	model: RunModel;
	blobs: Blobs;
	live: LiveActions;
	/** The conversation as the last turn left it. */
	state: ConversationStateStructure;
	/** The request context as the first turn got it; undefined before that. */
	context: RequestContext | undefined;
}

/** A turn that has been played, up to its end. */
export interface PlayedTurn {
	/** Sends a checkpoint and returns the state in it. */
	checkpoint(): Promise<ConversationStateStructure>;
	usage: Player["usage"];
	bill: Bill | undefined;
}
