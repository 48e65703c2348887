/** A short turn that answers several questions at once. */
export interface ProbeTurn {
	title: string;
	/** An estimate for prompt and reply together, without what Cursor adds to every turn. */
	tokens: number;
	/** Made only with `--all`. */
	isCostly?: true;
}

/** The turns in the order in which they are made. */
export const TURNS = {
	words: { title: "a word in each place of a system prompt, a tool in each place of tools", tokens: 600 },
	"one-place": { title: "the same with tools in one place, where two made it fall silent", tokens: 600 },
	again: { title: "a second turn in the same conversation", tokens: 900 },
	http1: { title: "a tool's result over HTTP/1.1", tokens: 500 },
	parameters: { title: "a variant of a model, named by parameters", tokens: 300 },
	flattened: { title: "the same variant, by one name", tokens: 500 },
	chat: { title: "a tool result on the unified protocol", tokens: 500 },
	"long-context": { title: "a model with its long context, without and with Max Mode", tokens: 400, isCostly: true },
} as const satisfies Record<string, ProbeTurn>;

export type TurnId = keyof typeof TURNS;

/** The limit that `cursorwire calibrate` announces and never exceeds, unless `--all` adds the long context. */
export const MOST_TURNS = 8;
