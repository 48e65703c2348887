// The legacy protocol: docs/older-protocols.md ("How a request travels", Legacy). No SDK has it; it follows what other
// public clients report.
import { StreamChatResponseSchema } from "@cursorwire/protocol/aiserver";
import { GatewayError } from "../../../turn/error.ts";
import type { CountUnknown } from "../../census/census.ts";
import type { SizeLimits } from "../../run/size-limits.ts";
import { ReplyMeter } from "../../writing/reply-meter.ts";
import { TextBlocks } from "../../writing/text-blocks.ts";
import { decode } from "../decode.ts";
import type { Machine, MachineOutput } from "../machine.ts";

/** Text comes, then the stream ends: there are no tools, no heartbeats and no checkpoints. */
export class LegacyMachine implements Machine {
	readonly #blocks = new TextBlocks();
	readonly #meter: ReplyMeter;
	readonly #countUnknown: CountUnknown;

	constructor(limits: SizeLimits, countUnknown: CountUnknown) {
		this.#countUnknown = countUnknown;
		this.#meter = new ReplyMeter(limits);
	}

	// The stream

	receive(bytes: Uint8Array, out: MachineOutput, start?: number, end?: number): void {
		const { text } = decode(StreamChatResponseSchema, bytes.subarray(start, end), this.#countUnknown);
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
}
