// What the client libraries have in common, as far as a gateway can tell them apart at all.

/** Where a library is pointed to. */
export interface Setup {
	/** Of the gateway, without a path. */
	url: string;
	apiKey: string;
	model: string;
	/** Sees every request and every response. */
	fetch: typeof fetch;
}

/** A tool of the test, run by the library's own loop. */
export interface TestTool {
	name: string;
	description: string;
	parameters: { type: "object"; properties: Record<string, { type: "number" | "string" }>; required: string[] };
	// biome-ignore lint/suspicious/noExplicitAny: what a tool is given is for its schema to say
	run(args: any): Promise<string>;
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

interface Answer {
	text: string;
	usage: Usage;
}

interface ChatAnswer extends Answer {
	/** Undefined where the library has no place for it. */
	reasoning: string | undefined;
}

/** An error as the library's users get it. */
export interface ClientError {
	/** Name of the library's own class. */
	name: string;
	status: number | undefined;
	message: string;
}

/** What was said so far, kept and sent again by the library's own means. */
interface Conversation {
	/** Runs tools until there is an answer. */
	say(prompt: string): Promise<Answer>;
}

/** A way to have tools run that a library offers, used as its documentation says. */
export interface Talker {
	open(setup: Setup, tools: TestTool[], stream: boolean): Conversation;
	errorOf(error: unknown): ClientError;
	/** Set where a library reads the tokens of the input at the start of a stream, where only an estimate is known. */
	estimatesStreamedInput?: true;
}

/** A library, used as its documentation says. */
export interface Client extends Talker {
	/** One message and its answer. Rejects where the library tells of an error in whichever way. */
	chat(setup: Setup, prompt: string, options: ChatOptions): Promise<ChatAnswer>;
	/** The classes that errors are expected to be of. */
	errors: { badKey: string; noModel: string; rateLimit: string; upstream: string; midStream: string; aborted: RegExp };
	/** Whether thinking can be read from an answer. */
	showsReasoning: boolean;
	/** Whether the tokens of thinking can be. */
	countsReasoning: boolean;
}

export const NOTHING_USED: Readonly<Usage> = { input: 0, output: 0, cached: 0, reasoning: 0 };

export function addUsage(total: Usage, usage: Usage): Usage {
	return {
		input: (total.input ?? 0) + (usage.input ?? 0),
		output: (total.output ?? 0) + (usage.output ?? 0),
		cached: (total.cached ?? 0) + (usage.cached ?? 0),
		reasoning: (total.reasoning ?? 0) + (usage.reasoning ?? 0),
	};
}

export function dataUrl({ mediaType, data }: NonNullable<ChatOptions["image"]>): string {
	return `data:${mediaType};base64,${data.toString("base64")}`;
}
