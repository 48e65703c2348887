import type { JsonObject } from "@bufbuild/protobuf";
import {
	RECORDED_MESSAGES,
	RECORDING_FORMAT,
	RECORDING_VERSION,
	type RecordedProtocol,
	type RecordingHeader,
	type RecordingLine,
} from "@cursorwire/protocol/recording";
import { redact } from "../src/doctor/redact.ts";
import { maskMessage } from "../src/record/mask-message.ts";
import { maskText } from "../src/record/mask-text.ts";

/**
 * A recording as it may stand in the repository: masked, whether it was or not; of what the gateway sent only the kinds;
 * without times; every id by its number. Throws where something is left that must not be shown.
 */
export function stripRecording(text: string, personal: Readonly<Record<string, string>> = {}): string {
	const [header, ...lines] = text.split("\n").flatMap(parsed) as [RecordingHeader?, ...RecordingLine[]];
	if (header?.format !== RECORDING_FORMAT || header.version !== RECORDING_VERSION) {
		throw new Error(`it is no recording of version ${RECORDING_VERSION}`);
	}
	const kept = withoutIds(
		[strippedHeader(header), ...strippedLines(lines)].map((line) => JSON.stringify(line)).join("\n"),
	);
	const leak = textsIn(kept.split("\n").map((line) => JSON.parse(line))).find(
		(each) => redact(each, personal) !== each,
	);
	if (leak !== undefined) throw new Error(`a key, token, name or address is left in it: ${redact(leak, personal)}`);
	return `${kept}\n`;
}

/** All texts, but for masked ones in base64: any JSON looks like a token there. */
function textsIn(value: unknown): string[] {
	if (typeof value === "string") return isMaskedBytes(value) ? [] : [value];
	if (typeof value !== "object" || value === null) return [];
	return Object.values(value).flatMap(textsIn);
}

function isMaskedBytes(text: string): boolean {
	const decoded = Buffer.from(text, "base64");
	return decoded.toString("base64") === text && maskText(decoded.toString("utf8")) === decoded.toString("utf8");
}

/** A gateway that was killed leaves half a line behind. */
function parsed(line: string): unknown[] {
	try {
		return [JSON.parse(line)];
	} catch {
		return [];
	}
}

const strippedHeader = (header: RecordingHeader): RecordingHeader => ({
	...header,
	runId: "run",
	startedAt: `${header.startedAt.slice(0, 10)}T00:00:00.000Z`,
	content: "masked",
});

function strippedLines(lines: readonly RecordingLine[]): RecordingLine[] {
	let protocol: RecordedProtocol = "agent";
	return lines.flatMap((line): RecordingLine[] => {
		if (line.what === "opened") protocol = line.protocol;
		if (line.what === "sent") return [{ ...line, at: 0, message: kindAlone(line.message) }];
		if (line.what === "received") {
			return [{ ...line, at: 0, message: maskMessage(RECORDED_MESSAGES[protocol].server, line.message) }];
		}
		if (line.what === "closed" && line.end.detail !== undefined) {
			return [{ ...line, at: 0, end: { ...line.end, detail: maskText(line.end.detail) } }];
		}
		return [{ ...line, at: 0 }];
	});
}

/** What a replay has to know of a message within another. */
const INNER_KINDS = ["heartbeat", "getBlobResult"];

/** Of what was sent, a replay needs nothing but that something of its kind was sent. */
function kindAlone(message: JsonObject): JsonObject {
	const [[kind, value] = ["", {}]] = Object.entries(message);
	const inner = INNER_KINDS.find((key) => Object.hasOwn(Object(value), key));
	return { [kind]: inner === undefined ? {} : { [inner]: {} } };
}

interface IdForm {
	find: RegExp;
	numbered(number: number): string;
}

/** Ids by which messages find each other, and which may name an account or a conversation elsewhere. */
const ID_FORMS: readonly IdForm[] = [
	{
		find: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
		numbered: (number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
	},
	// SHA-256 in base64, which blobs go by.
	{
		find: /(?<=")[A-Za-z0-9+/]{43}=(?=")/g,
		numbered: (number) => Buffer.from(String(number).padStart(32, "0")).toString("base64"),
	},
	{ find: /\b(?:call|toolu|tool|req|msg|user)_[A-Za-z0-9]{8,}\b/g, numbered: (number) => `call_${number}` },
];

function withoutIds(text: string): string {
	let stripped = text;
	for (const { find, numbered } of ID_FORMS) {
		const known = new Map<string, string>();
		stripped = stripped.replace(find, (id) => {
			if (!known.has(id)) known.set(id, numbered(known.size + 1));
			return known.get(id)!;
		});
	}
	return stripped;
}
