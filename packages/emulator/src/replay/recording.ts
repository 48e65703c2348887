import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fromJson, type JsonObject, toBinary } from "@bufbuild/protobuf";
import {
	RECORDED_MESSAGES,
	RECORDING_FORMAT,
	RECORDING_VERSION,
	type RecordedEnd,
	type RecordedProtocol,
	type RecordingLine,
} from "@cursorwire/protocol/recording";

/** A message that the server sent, or a kind of message of the client that it waited for. */
type RecordedStep = { say: Uint8Array } | { hear: string };

/** One stream of a recorded run. A run that was retried or resumed has several. */
export interface RecordedStream {
	protocol: RecordedProtocol;
	steps: RecordedStep[];
	/** Undefined if the client ended the stream. */
	end: RecordedEnd | undefined;
}

/** All streams of a recording, or of every recording in a folder, in the order of their time. */
export function readRecordings(path: string): RecordedStream[] {
	const files = isFolder(path)
		? readdirSync(path)
				.filter((name) => name.endsWith(".jsonl"))
				.sort()
				.map((name) => join(path, name))
		: [path];
	const streams = files.flatMap((file) => readRecording(readFileSync(file, "utf8"), file));
	if (streams.length === 0) throw new Error(`${path} holds no recorded run`);
	return streams;
}

function isFolder(path: string): boolean {
	try {
		return statSync(path).isDirectory();
	} catch (error) {
		throw new Error(`recording ${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
	}
}

function readRecording(text: string, file: string): RecordedStream[] {
	// A gateway that was killed may leave half a line at the end.
	const [header, ...lines] = text
		.split("\n")
		.map(parseLine)
		.filter((line) => line !== undefined);
	if (header?.format !== RECORDING_FORMAT) throw new Error(`${file} is no recording of Cursorwire`);
	if (header.version !== RECORDING_VERSION) throw new Error(`${file} is a recording of version ${header.version}`);
	const streams: RecordedStream[] = [];
	for (const line of lines as unknown as RecordingLine[]) {
		if (line.what === "opened") streams.push({ protocol: line.protocol, steps: [], end: undefined });
		const stream = streams.at(-1);
		if (!stream) continue;
		if ("message" in line && readsConversation(line.message)) continue;
		if (line.what === "sent") stream.steps.push({ hear: kindOf(line.message) });
		if (line.what === "received") stream.steps.push({ say: encode(stream.protocol, line.message, file) });
		if (line.what === "closed") stream.end = line.end;
		// The gateway has ended the stream, because the turn was complete.
		if (line.what === "over" && line.how === "ended") stream.end ??= { kind: "complete" };
	}
	return streams;
}

function parseLine(line: string): JsonObject | undefined {
	try {
		return JSON.parse(line);
	} catch {
		return undefined;
	}
}

function encode(protocol: RecordedProtocol, message: JsonObject, file: string): Uint8Array {
	const { server } = RECORDED_MESSAGES[protocol];
	try {
		return toBinary(server, fromJson(server, message));
	} catch (error) {
		throw new Error(`${file} holds a message that is not known: ${(error as Error).message}`);
	}
}

/** Requests for blobs, and their answers: the client that replays a recording does not have these blobs. */
function readsConversation({ kvServerMessage: asked, kvClientMessage: answered }: JsonObject): boolean {
	return Object.hasOwn(Object(asked), "getBlobArgs") || Object.hasOwn(Object(answered), "getBlobResult");
}

/** The kind of a message, which is the name of the one field that it has. */
export function kindOf(message: JsonObject): string {
	const kind = Object.keys(message)[0] ?? "";
	const isHeartbeat = kind === "execClientControlMessage" && "heartbeat" in (message[kind] as JsonObject);
	return isHeartbeat ? "execHeartbeat" : kind;
}
