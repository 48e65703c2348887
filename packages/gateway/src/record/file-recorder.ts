import { createWriteStream, mkdirSync, type WriteStream } from "node:fs";
import { join } from "node:path";
import { type DescMessage, fromBinary, type JsonObject, type Message, toJson } from "@bufbuild/protobuf";
import {
	RECORDED_MESSAGES,
	RECORDING_FORMAT,
	RECORDING_VERSION,
	type RecordedEnd,
	type RecordingHeader,
	type RecordingLine,
} from "@cursorwire/protocol/recording";
import { describeNews } from "../upstream/census/describe.ts";
import { tellUnknown } from "../upstream/census/unknown-parts.ts";
import type { ChannelEnd } from "../upstream/channels/channel.ts";
import { UpstreamFailure } from "../upstream/errors/upstream-failure.ts";
import type { ProtocolName, RunPlan } from "../upstream/protocols/driver.ts";
import type { RunRecorder, RunTape } from "../upstream/run/run-tape.ts";
import { maskMessage } from "./mask-message.ts";
import { maskText } from "./mask-text.ts";

export interface FileRecorderOptions {
	folder: string;
	/** Whether texts are written as they are. Otherwise they are masked. */
	content: boolean;
	gatewayVersion: string;
	/** Milliseconds of the epoch. */
	now(): number;
	/** Called if a file cannot be written. The run continues. */
	warn(line: string): void;
	/** The most characters in one recording, because a run may last for hours. */
	longest?: number;
}

const LONGEST = 64 << 20;

/** Writes one file per run, which only its owner can read. */
export class FileRecorder implements RunRecorder {
	readonly #options: FileRecorderOptions;

	/** Throws if the folder cannot be created. */
	constructor(options: FileRecorderOptions) {
		mkdirSync(options.folder, { recursive: true, mode: 0o700 });
		this.#options = options;
	}

	begin({ runId, model }: RunPlan): RunTape {
		const { gatewayVersion, content, now } = this.#options;
		return new FileTape(this.#options, {
			format: RECORDING_FORMAT,
			version: RECORDING_VERSION,
			gateway: gatewayVersion,
			runId,
			model: model.name,
			startedAt: new Date(now()).toISOString(),
			content: content ? "full" : "masked",
		});
	}
}

class FileTape implements RunTape {
	readonly #options: FileRecorderOptions;
	readonly #start: number;
	readonly #file: WriteStream;
	#room: number;
	#protocol: ProtocolName = "agent";

	constructor(options: FileRecorderOptions, header: RecordingHeader) {
		this.#options = options;
		this.#start = options.now();
		const name = `${header.startedAt.replace(/[:.]/g, "-")}-${header.runId}.jsonl`;
		this.#room = options.longest ?? LONGEST;
		this.#file = createWriteStream(join(options.folder, name), { flags: "wx", mode: 0o600 });
		this.#file.on("error", (error) => options.warn(`a recording could not be written: ${error.message}`));
		this.#write(header);
	}

	opened(protocol: ProtocolName, channel: string): void {
		this.#protocol = protocol;
		this.#line({ what: "opened", protocol, channel });
	}

	sent(message: Uint8Array): void {
		this.#message("sent", message, RECORDED_MESSAGES[this.#protocol].client);
	}

	received(message: Uint8Array): void {
		this.#message("received", message, RECORDED_MESSAGES[this.#protocol].server);
	}

	state(state: string): void {
		this.#line({ what: "state", state });
	}

	closed(end: ChannelEnd): void {
		this.#line({ what: "closed", end: this.#told(end) });
	}

	over(how: string): void {
		this.#line({ what: "over", how });
		this.#file.end();
	}

	#write(line: object): void {
		const text = `${JSON.stringify(line)}\n`;
		this.#room -= text.length;
		if (!this.#isOver) this.#file.write(text);
	}

	/** Nothing more can be written, so messages need not be decoded any more. */
	get #isOver(): boolean {
		return this.#room < 0 || this.#file.destroyed;
	}

	#message(what: "sent" | "received", bytes: Uint8Array, schema: DescMessage): void {
		if (this.#isOver) return;
		let decoded: Message;
		let json: JsonObject;
		try {
			decoded = fromBinary(schema, bytes);
			json = toJson(schema, decoded) as JsonObject;
		} catch {
			return this.#line({ what: "undecodable", bytes: bytes.length });
		}
		const unknown: string[] = [];
		tellUnknown(schema, decoded, (part) => unknown.push(describeNews(part)));
		const message = this.#options.content ? json : maskMessage(schema, json);
		this.#line({ what, message, ...(unknown.length > 0 && { unknown }) });
	}

	#told(end: ChannelEnd): RecordedEnd {
		if (end.kind === "complete") return { kind: "complete" };
		const { kind, cause, detail } = end.error;
		const said = cause instanceof UpstreamFailure ? { code: cause.code, errorName: cause.errorName } : {};
		const words = detail && (this.#options.content ? detail : maskText(detail));
		return { kind: end.kind, error: kind, ...said, ...(words && { detail: words }) };
	}

	#line(line: RecordingLine extends infer L ? (L extends RecordingLine ? Omit<L, "at"> : never) : never): void {
		this.#write({ at: this.#options.now() - this.#start, ...line });
	}
}
