// What there is to know about an agent: how it is pointed at the gateway, started and resumed, and which tools it offers.
import type { Call } from "cursorwire-emulator";
import type { AgentPackage } from "./packages.ts";

/** Where an agent works, and where it is pointed to. */
export interface Place {
	/** The gateway, without `/v1`. */
	url: string;
	key: string;
	model: string;
	/** Home folder of the agent's own, empty at the start. */
	home: string;
	/** The folder it works in. */
	work: string;
}

export interface Configuration {
	/** Added to an environment that is empty but for what every program needs. */
	env?: Record<string, string>;
	/** Files to be written before the start, by absolute path. */
	files?: Record<string, string>;
}

/** One way of using an agent: an API, or a model name that changes what it sends. */
export interface Setup {
	/** The API, and what else sets this way apart. */
	title: string;
	model: string;
	configure(place: Place): Configuration;
	/** Words behind the program's name. */
	start(prompt: string, place: Place): string[];
	/** The same for a second prompt in the conversation of the first. */
	resume(prompt: string, place: Place): string[];
	tools: Tools;
	/** Exit code when the upstream refuses. */
	refused: number;
}

/** How the model does something with the tools this agent offers; paths are absolute. */
export interface Tools {
	read(path: string): Call;
	write(path: string, content: string): Call;
	run(command: string): Call;
}

export interface Agent {
	name: string;
	package: AgentPackage;
	setups: Setup[];
}
