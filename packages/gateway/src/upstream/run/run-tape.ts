import type { ChannelEnd } from "../channels/channel.ts";
import type { ProtocolName, RunPlan } from "../protocols/driver.ts";

/** Records what happens in a run. It must neither throw nor keep the messages. */
export interface RunTape {
	opened(protocol: ProtocolName, channel: string): void;
	sent(message: Uint8Array): void;
	received(message: Uint8Array): void;
	/** What the run does next, in a word. */
	state(state: string): void;
	closed(end: ChannelEnd): void;
	over(how: string): void;
}

export interface RunRecorder {
	begin(plan: RunPlan): RunTape;
}
