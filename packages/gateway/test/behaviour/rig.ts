import type { Emulator, EmulatorOptions } from "cursorwire-emulator";
import type { TurnEvent } from "../../src/turn/event.ts";
import type { TurnRequest } from "../../src/turn/request.ts";
import type { RunLimits } from "../../src/upstream/run/run-limits.ts";
import type { Response } from "../kit/upstream.ts";

interface Ask extends Partial<TurnRequest> {
	messages: TurnRequest["messages"];
}

interface AskOptions {
	/** Sees every event as it comes; what it does may end the request. */
	onEvent?: (event: TurnEvent) => void;
	/** The client leaves when it is aborted; `ask` then resolves with whatever came. */
	signal?: AbortSignal;
}

/** Everything that a turn may leave behind. */
export interface OpenThings {
	/** Runs that wait for results of tools. */
	parked: number;
	/** Runs under way, the ones that wait included. */
	runs: number;
	/** Streams and requests to the upstream, as this side counts them. */
	streams: number;
	/** Where timers were armed that are neither a connection's nor of a run that waits. */
	timers: string[];
}

/** A client that sends whole conversations, whatever stands between it and the emulator. */
export interface Rig {
	emulator: Emulator;
	/** Whether the tokens of thinking are told apart from other output. */
	countsReasoning: boolean;
	ask(request: Ask, options?: AskOptions): Promise<Response>;
	/** What is open at this moment. */
	open(): OpenThings;
	/** Moves the time ahead by which this side goes. */
	leap(ms: number): void;
	/** The access token in use stops working. */
	expireToken(): void;
}

export interface RigOptions {
	emulator?: EmulatorOptions;
	limits?: Partial<RunLimits>;
}

export type StartRig = (options?: RigOptions) => Promise<Rig>;
