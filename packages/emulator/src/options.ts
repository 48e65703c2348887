import type { AccountFileInput } from "./accounts/account.ts";
import type { Brain } from "./brains/brain.ts";

export interface EmulatorOptions {
	/** Default 127.0.0.1. The emulator has no access control of its own. */
	host?: string;
	/** Default 0: any free port. */
	port?: number;
	tls?: boolean | TlsOptions;
	/** `demo` (default), `echo`, `busy`, `relay:<url>`, a module path, or a function. */
	brain?: string | Brain;
	/** A recording of `cursorwire serve --record`, or a folder of them, to play in place of the brain. */
	replay?: string;
	/** Path of an account file, or its content. */
	accounts?: string | AccountFileInput;
	faults?: string[];
	/** Each reads `name=value`. */
	switches?: string[];
	strict?: boolean;
	/** Compress messages of at least this many bytes. Default: none. */
	gzipFrom?: number;
	autoApprove?: boolean;
	heartbeatMs?: number;
	/** How many requests `/__emulator/requests` keeps, and how many prompts `/__emulator/prompts` keeps, up to 50. */
	requestLog?: number;
	/** Called with the text of each prompt as the model would read it. */
	onPrompt?: (text: string) => void;
	/** Opens two more ports, for the two agent hosts. The main port then serves no runs. */
	agentHosts?: boolean;
	/** API key for a `relay:` brain. */
	relayKey?: string;
	/** Where module paths are looked up. Default: the current folder. */
	folder?: string;
	report?: (line: string) => void;
}

export interface TlsOptions {
	/** Default: h2 and http/1.1. Without h2 it behaves like a proxy that inspects TLS. */
	alpn?: string[];
	/** Names the certificate is for. */
	hosts?: string[];
	expired?: boolean;
}
