// What the client libraries have in common, as far as a gateway can tell them apart at all.

/** Where a library is pointed to. */
export interface Setup {
	baseURL: string;
	apiKey: string;
	model: string;
	/** Sees every response. */
	fetch: typeof fetch;
}

/** The one tool of these tests, run by the library's own loop. */
export interface TestTool {
	name: string;
	description: string;
	parameters: { type: "object"; properties: Record<string, { type: "number" }>; required: string[] };
	run(args: { n: number }): Promise<string>;
}

export interface ChatOptions {
	stream: boolean;
	image?: { mediaType: string; data: Buffer };
	signal?: AbortSignal;
	/** Called for each piece of a streamed answer. */
	onText?: (piece: string) => void;
}

export interface Usage {
	input: number | undefined;
	output: number | undefined;
	cached: number | undefined;
	reasoning: number | undefined;
}

export interface ChatAnswer {
	text: string;
	/** Undefined where the library has no place for it. */
	reasoning: string | undefined;
	usage: Usage;
}

/** An error as the library's users get it. */
export interface ClientError {
	/** Name of the library's own class. */
	name: string;
	status: number | undefined;
	message: string;
}

/** A library, used as its documentation says. */
export interface Client {
	/** Runs tools until there is an answer, by the library's own means. */
	loop(setup: Setup, prompt: string, tool: TestTool, stream: boolean): Promise<{ text: string; usage: Usage }>;
	/** One message and its answer. Rejects where the library tells of an error in whichever way. */
	chat(setup: Setup, prompt: string, options: ChatOptions): Promise<ChatAnswer>;
	errorOf(error: unknown): ClientError;
	/** The classes that errors are expected to be of. */
	errors: { badKey: string; noModel: string; rateLimit: string; upstream: string; midStream: string; aborted: RegExp };
	/** Whether thinking can be read from an answer. */
	showsReasoning: boolean;
}
