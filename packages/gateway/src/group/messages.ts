import type { GroupQuestion, OwnersReply } from "../sessions/run-group.ts";
import type { LostRun } from "../sessions/rung-reason.ts";
import { GatewayError } from "../turn/error.ts";
import type { ErrorKind } from "../turn/error-kinds.ts";
import type { TurnEvent } from "../turn/event.ts";
import type { ImagePart, TextPart, ToolResultPart } from "../turn/request.ts";

// What gateways of a group say to each other, and its form: JSON, with the content of images as base64.

/** `claim`: the id that the gateway which asks gave its question. `from`: the gateway that says it. */
interface Said {
	from: string;
	claim: string;
}

/** To the gateway that has the run. */
export type ToOwner =
	| (Said & { type: "question"; question: GroupQuestion })
	/** How many characters of the reply were passed on since its beginning. */
	| (Said & { type: "more"; characters: number })
	/** Messages may have been lost. Besides what `more` tells it asks how much was said. */
	| (Said & { type: "check"; characters: number })
	| (Said & { type: "cancel" })
	/** The reply is not passed on any more, but the request may come again, and then the reply should be complete. */
	| (Said & { type: "leave" })
	/** The conversation is to be kept under this name. */
	| (Said & { type: "keep"; key: string });

/** To the gateway that asked. */
export type ToAsker =
	| (Said & { type: "accepted"; reply: OwnersReply })
	| (Said & { type: "refused"; reason: LostRun })
	/** `at`: the first one is 1. */
	| (Said & { type: "events"; at: number; events: readonly TurnEvent[] })
	| (Said & { type: "failed"; error: TravellingError })
	/** So many batches of events were said before this. Undefined: nothing more is said. */
	| (Said & { type: "said"; batches?: number })
	/** The gateway that has the run is gone. Whoever asked says it to itself, behind everything that the other one said. */
	| (Said & { type: "lost" });

export type GroupMessage = ToOwner | ToAsker;

/** A message to which the name of its sender is added when it is sent. */
export type Unsigned<M> = M extends unknown ? Omit<M, "from"> : never;

/** The parts of an error that a client gets to see. */
export type TravellingError = Pick<GatewayError, "kind" | "message" | "detail" | "param" | "retryAfterSeconds"> & {
	nextStep: string;
};

type Part = TextPart | ImagePart;
type TravellingPart = TextPart | (Omit<ImagePart, "data"> & { data: string });

export function encodeMessage(message: GroupMessage): string {
	return JSON.stringify(message.type === "question" ? { ...message, question: packed(message.question) } : message);
}

export function decodeMessage(text: string): GroupMessage {
	const message = JSON.parse(text);
	return message.type === "question" ? { ...message, question: unpacked(message.question) } : message;
}

export function travelling({
	kind,
	message,
	detail,
	param,
	retryAfterSeconds,
	nextStep,
}: GatewayError): TravellingError {
	return { kind, message, detail, param, retryAfterSeconds, nextStep };
}

export function arrived({ kind, message, ...detail }: TravellingError): GatewayError {
	return new GatewayError(kind as ErrorKind, message, detail);
}

function packed({ trailing, given, ...question }: GroupQuestion) {
	return {
		...question,
		trailing: {
			results: trailing.results.map((result) => ({ ...result, content: result.content.map(packedPart) })),
			userParts: trailing.userParts.map(packedPart),
		},
		given: { ...given, hashes: [...given.hashes] },
	};
}

function unpacked({ trailing, given, ...question }: ReturnType<typeof packed>): GroupQuestion {
	const results: ToolResultPart[] = trailing.results.map((result) => ({
		...result,
		content: result.content.map(unpackedPart),
	}));
	return {
		...question,
		trailing: { results, userParts: trailing.userParts.map(unpackedPart) },
		given: { ...given, hashes: new Map(given.hashes) },
	};
}

const packedPart = (part: Part): TravellingPart =>
	part.type === "text" ? part : { ...part, data: Buffer.from(part.data).toString("base64") };

const unpackedPart = (part: TravellingPart): Part =>
	part.type === "text" ? part : { ...part, data: Buffer.from(part.data, "base64") };
