import { fromBinary } from "@bufbuild/protobuf";
import { type StreamChatResponse, StreamChatResponseSchema } from "@cursorwire/protocol/aiserver";
import { GatewayError } from "../../../turn/error.ts";
import type { CountUnknown } from "../../census/census.ts";
import type { SizeLimits } from "../../run/size-limits.ts";
import { AnswerMeter } from "../../writing/reply-meter.ts";
import { TextBlocks } from "../../writing/text-blocks.ts";
import type { Machine, MachineOutput } from "../machine.ts";

/** The oldest chat: text comes, then the stream ends. */
export class LegacyMachine implements Machine {
	readonly heartbeat = undefined;
	readonly pendingCalls: string[] = [];
	readonly turnEnded = false;
	readonly needsGrace = false;
	readonly resumable = false;
	readonly checkpoints = 0;
	readonly #blocks = new TextBlocks();
	readonly #meter: AnswerMeter;
	readonly #countUnknown: CountUnknown;

	constructor(limits: SizeLimits, countUnknown: CountUnknown) {
		this.#countUnknown = countUnknown;
		this.#meter = new AnswerMeter(limits);
	}

	receive(frame: Uint8Array, out: MachineOutput): void {
		const message = decode(frame);
		this.#countUnknown(StreamChatResponseSchema, message);
		const { text } = message;
		if (text.length === 0) {
			out.events.push({ type: "activity" });
			return;
		}
		this.#meter.said(text.length);
		this.#blocks.text(text, out.events);
	}

	streamEnded(out: MachineOutput): void {
		this.#blocks.close(out.events);
		if (!this.#blocks.said) throw new GatewayError("upstream-empty");
		out.events.push({ type: "turn-end", reason: "stop" });
	}

	graceElapsed(): void {}

	giveResults(): void {}

	callHeartbeats(): Uint8Array[] {
		return [];
	}

	resume(): never {
		throw new Error("a legacy chat cannot be resumed");
	}

	stored(): undefined {
		return undefined;
	}
}

function decode(frame: Uint8Array): StreamChatResponse {
	try {
		return fromBinary(StreamChatResponseSchema, frame);
	} catch (cause) {
		throw new GatewayError("upstream-protocol", "A message of Cursor cannot be read.", { cause });
	}
}
