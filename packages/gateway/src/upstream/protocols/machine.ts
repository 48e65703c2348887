import type { TurnEvent } from "../../turn/event.ts";
import type { ToolResultPart } from "../../turn/request.ts";
import type { StoredConversation } from "./stored-conversation.ts";

/** What one step of a machine yields: events for the client, messages for the server. */
export interface MachineOutput {
	events: TurnEvent[];
	messages: Uint8Array[];
}

/** What tools a run uses, apart from what they are told. */
export interface ToolUse {
	/** The client's tools whose results are missing. */
	readonly pendingTools: string[];
	/** How many of these calls are for Cursor's own tools. */
	readonly pendingBuiltIns: number;
	/** Calls that no tool of the client's could carry out, of tools that it does not have and of Cursor's own. */
	readonly refused: { client: number; builtin: number };
}

/**
 * One of Cursor's protocols without any I/O: frames in, events and messages out. A machine serves a whole run, which may
 * span several turns: at tool calls a reply ends, and the run waits until their results are given.
 *
 * A protocol that lacks something leaves out the members for it. The machines keep the order of this file.
 */
export interface Machine {
	// The stream

	/**
	 * One message of the server: the bytes from `start` to `end`, or all of them. Throws a `GatewayError` where the run
	 * cannot go on.
	 */
	receive(bytes: Uint8Array, out: MachineOutput, start?: number, end?: number): void;
	/** The stream has ended in order. Throws where that is no end of a turn. */
	streamEnded(out: MachineOutput): void;
	/** The model has said all; only the end of the stream is missing. */
	readonly turnEnded?: boolean;
	/** The stream failed, and the run with it. */
	broke?(): void;

	// Tools of the client

	/** Ids of the calls whose results are missing. */
	readonly pendingCalls?: string[];
	/** The tools that these calls are for, and what became of others. */
	readonly toolUse?: ToolUse;
	/** Calls are there, and only time can tell whether more will come. */
	readonly needsGrace?: boolean;
	/** The grace period for further calls is over. */
	graceElapsed?(out: MachineOutput): void;
	/** The results of pending calls; unknown ids are ignored. When none is open any more, the run goes on. */
	giveResults?(results: readonly ToolResultPart[], out: MachineOutput): void;

	// Heartbeats

	/** Sent every few seconds while a stream is open. */
	readonly heartbeat?: Uint8Array;
	/** Sent for every call that runs at the client. */
	callHeartbeats?(): Uint8Array[];

	// Checkpoints

	/** How often the server has said from where another stream may go on. */
	readonly checkpoints?: number;
	/** Another stream can go on without repeating anything that was said. */
	readonly resumable?: boolean;
	/** The first message of another stream that goes on where this one broke; only where it is `resumable`. */
	resume?(): Uint8Array;
	/** The conversation as the server left it; undefined where nothing can go on from it. */
	stored?(): StoredConversation | undefined;
}
