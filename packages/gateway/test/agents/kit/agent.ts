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

interface Configuration {
	/** Added to an environment that is empty but for what every program needs. */
	env?: Record<string, string>;
	/** Files to be written before the start, by absolute path. */
	files?: Record<string, string>;
}

/** The APIs, by what the gateway calls them. */
export const APIS = { chat: "Chat Completions", responses: "Responses", messages: "Messages" } as const;
export type Api = keyof typeof APIS;

/** One way of using an agent: an API, or a model name that changes what it sends. */
export interface Setup {
	api: Api;
	/** What else sets this way apart. */
	note?: string;
	model: string;
	/** Names that are put into the gateway's settings, where the agent wants a model called otherwise. */
	aliases?: Record<string, string>;
	configure(place: Place): Configuration;
	/** Words behind the program's name. */
	start(prompt: string, place: Place): string[];
	/** The same for a second prompt in the conversation of the first, or the way there over its protocol for editors. */
	resume(prompt: string, place: Place): string[] | EditorSession;
	tools: Tools;
	/** A later process sends another history or other tools than the first, so nothing stored fits it. */
	rewritesHistory?: boolean;
	/** It keeps no conversation that ended with an error, so there is nothing to go on with. */
	forgetsFailures?: boolean;
	/** It asks for one call at a time, so two come one after the other. */
	oneAtATime?: boolean;
	/** Which of Cursor's built-in requests its tools can serve; the others are refused with the name of a tool that can. */
	serves: readonly BuiltIn[];
	/** What it does when the upstream refuses for good: its exit code, and how often it asks. */
	refused: { code: number; tries: number };
}

export const BUILT_INS = ["read", "write", "shell"] as const;
export type BuiltIn = (typeof BUILT_INS)[number];

/** A stored conversation, gone on with over the Agent Client Protocol. */
export interface EditorSession {
	words: string[];
	session: string;
	model: string;
}

/** How the model does something with the tools this agent offers; paths are absolute. */
export interface Tools {
	read(path: string): Call;
	write(path: string, content: string): Call;
	run(command: string): Call;
}

export interface Agent {
	name: string;
	/** So it goes through both channels to Cursor in the quick form too; what an agent sends depends on neither. */
	startsFast?: boolean;
	package: AgentPackage;
	setups: Setup[];
}
