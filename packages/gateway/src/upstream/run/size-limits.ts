import { GatewayError } from "../../turn/error.ts";

/** How much of an upstream's words a run takes. Bytes, but for the number of calls. */
export interface SizeLimits {
	/** Text, thinking and arguments of calls of one response. */
	answerBytes: number;
	/** Everything that a run receives, from its first stream to its last. */
	runBytes: number;
	/** What arrives while a run waits for results of tools, and nobody listens. */
	parkedBytes: number;
	/** Parts of the conversation that the server stores here. */
	blobBytes: number;
	/** The arguments of one call. */
	argumentBytes: number;
	/** Calls of one step of the model. */
	callsPerStep: number;
}

const MiB = 1024 * 1024;

/**
 * Nothing real comes near these. The longest answer of any model is a few hundred kilobytes, and a request, which holds
 * all that a conversation can bring, is 32 MiB at the most. They are there so that memory has an upper bound.
 */
export const DEFAULT_SIZE_LIMITS: SizeLimits = {
	answerBytes: 64 * MiB,
	// An agent that works for hours gets its whole state at each of its steps.
	runBytes: 4096 * MiB,
	parkedBytes: 8 * MiB,
	blobBytes: 128 * MiB,
	argumentBytes: 16 * MiB,
	callsPerStep: 1_000,
};

/** What a small message costs beside its bytes, so that a million empty ones count as well. */
export const MESSAGE_OVERHEAD_BYTES = 64;

const SUBJECTS: Readonly<Record<keyof SizeLimits, { what: string; setting: string }>> = {
	answerBytes: { what: "An answer of Cursor is longer than", setting: "maxAnswerMiB" },
	runBytes: { what: "A run has brought more than", setting: "maxRunMiB" },
	parkedBytes: { what: "A run that waits for tools has brought more than", setting: "maxParkedMiB" },
	blobBytes: { what: "Cursor stores more of the conversation here than", setting: "maxBlobMiB" },
	argumentBytes: { what: "The arguments of a tool call are longer than", setting: "maxArgumentsMiB" },
	callsPerStep: { what: "The model makes more calls in one step than", setting: "maxCallsPerStep" },
};

/** The error of a limit that was passed. It names the setting that moves it. */
export function tooLarge(limit: keyof SizeLimits, limits: SizeLimits): GatewayError {
	const { what, setting } = SUBJECTS[limit];
	const most = limit === "callsPerStep" ? `${limits[limit]}` : inMiB(limits[limit]);
	return new GatewayError("answer-too-large", undefined, {
		detail: `${what} ${most}.`,
		nextStep: `Ask for less at once, or raise the setting ${setting}.`,
	});
}

function inMiB(bytes: number): string {
	return bytes >= MiB ? `${Math.floor(bytes / MiB)} MiB` : `${bytes} bytes`;
}
