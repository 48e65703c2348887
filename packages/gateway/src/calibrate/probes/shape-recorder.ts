import type { ProtocolName } from "../../upstream/protocols/driver.ts";
import type { RunRecorder, RunTape } from "../../upstream/run/run-tape.ts";
import type { Stage } from "../evidence.ts";
import { addShape, type FrameShape, frameShape } from "./frame-shape.ts";

/** The frames of one attempt, without their content. */
export interface RecordedRun {
	turn: Stage;
	protocol: ProtocolName;
	channel: string;
	frames: FrameShape[];
	/** How the stream ended: `complete`, or the kind of its error. */
	end: string;
}

/** Keeps the shapes of all frames. */
export class ShapeRecorder implements RunRecorder {
	readonly runs: RecordedRun[] = [];
	stage: Stage = "free";

	begin(): RunTape {
		let run: RecordedRun | undefined;
		const add = (from: FrameShape["from"], message: Uint8Array) => {
			if (run) addShape(run.frames, frameShape(run.protocol, from, message));
		};
		return {
			opened: (protocol, channel) => {
				run = { turn: this.stage, protocol, channel, frames: [], end: "" };
				this.runs.push(run);
			},
			sent: (message) => add("client", message),
			received: (message) => add("server", message),
			state: () => {},
			closed: (end) => {
				if (run) run.end = end.kind === "complete" ? "complete" : end.error.kind;
			},
			over: (how) => {
				if (run && run.end === "") run.end = how;
			},
		};
	}
}
