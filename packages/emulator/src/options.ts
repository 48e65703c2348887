import type { AccountFileInput } from "./accounts/account.ts";
import type { Brain } from "./brains/brain.ts";

export interface EmulatorOptions {
	/** Default 127.0.0.1. The emulator has no access control of its own. */
	host?: string;
	/** Default 0: any free port. */
	port?: number;
	tls?: boolean | TlsOptions;
	/** `demo` (default), `echo`, `relay:<url>`, a module path, or a function. */
	brain?: string | Brain;
	/** A recording of `cursorwire serve --record`, or a folder of them, to play in place of the brain. */
	replay?: string;
	/** Path of an account file, or its content. */
	accounts?: string | AccountFileInput;
	faults?: string[];
	/** `name=value` each. */
	switches?: string[];
	strict?: boolean;
	/** Compress messages of at least this many bytes. */
	gzipFrom?: number;
	autoApprove?: boolean;
	heartbeatMs?: number;
	/** How many requests `/__emulator/requests` remembers, and up to 50 how many prompts `/__emulator/prompts`. */
	requestLog?: number;
	/** Called with each prompt as the model would read it, as text for a person. */
	onPrompt?: (text: string) => void;
	/** Two more ports that stand for the privacy and the other agent host; the main one then serves no runs. */
	agentHosts?: boolean;
	/** API key for a `relay:` brain. */
	relayKey?: string;
	/** Where module paths are looked up. Default: the current folder. */
	folder?: string;
	report?: (line: string) => void;
}

export interface TlsOptions {
	/** Default h2 and http/1.1. Without h2 it behaves like a network that inspects TLS. */
	alpn?: string[];
	/** Names the certificate is for. */
	hosts?: string[];
	expired?: boolean;
}
