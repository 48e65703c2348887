import { type DescMessage, fromBinary } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { AgentClientMessageSchema, AgentServerMessageSchema } from "@cursorwire/protocol/agent";
import {
	StreamUnifiedChatRequestWithToolsSchema,
	StreamUnifiedChatResponseWithToolsSchema,
} from "@cursorwire/protocol/aiserver";
import type { ProtocolName } from "../../upstream/protocols/driver.ts";

/** A message without its content: which fields it has and how large it is. */
export interface FrameShape {
	from: "client" | "server";
	/** The names of the cases that are set, such as `interactionUpdate.textDelta`. */
	kind: string;
	/** Paths of field numbers, such as `1.1.1`. */
	fields: string[];
	bytes: number;
	/** How many frames of this kind and with these fields came in a row; `bytes` is the size of the largest. */
	count: number;
}

const SCHEMAS: Partial<Record<ProtocolName, Record<FrameShape["from"], DescMessage>>> = {
	agent: { client: AgentClientMessageSchema, server: AgentServerMessageSchema },
	unified: { client: StreamUnifiedChatRequestWithToolsSchema, server: StreamUnifiedChatResponseWithToolsSchema },
};

const DEEPEST = 3;
const MOST_FIELDS = 40;

export function frameShape(protocol: ProtocolName, from: FrameShape["from"], message: Uint8Array): FrameShape {
	const schema = SCHEMAS[protocol]?.[from];
	const fields = [...new Set(fieldPaths(message, "", 1))].slice(0, MOST_FIELDS);
	return { from, kind: schema ? kindOf(schema, message) : "message", fields, bytes: message.length, count: 1 };
}

/** Adds a shape to a list, and merges it with the last one if they are alike. */
export function addShape(shapes: FrameShape[], shape: FrameShape): void {
	const last = shapes.at(-1);
	const isSame = last?.from === shape.from && last.kind === shape.kind && last.fields.join() === shape.fields.join();
	if (!isSame || !last) return void shapes.push(shape);
	last.count += 1;
	last.bytes = Math.max(last.bytes, shape.bytes);
}

/** The names of the oneof cases, down to two levels. */
function kindOf(schema: DescMessage, bytes: Uint8Array): string {
	try {
		const names: string[] = [];
		let value: unknown = fromBinary(schema, bytes);
		for (let choice = choiceOf(value); choice && names.length < 2; choice = choiceOf(value)) {
			names.push(choice.case);
			value = choice.value;
		}
		return names.join(".") || "unknown";
	} catch {
		return "unreadable";
	}
}

function choiceOf(message: unknown): { case: string; value: unknown } | undefined {
	if (typeof message !== "object" || message === null) return undefined;
	return Object.values(message).find(
		(member): member is { case: string; value: unknown } => typeof member?.case === "string" && "value" in member,
	);
}

/**
 * Looks into every length-delimited field that can be read as a message. A text may look like one by chance, which does
 * no harm, because only field numbers are reported.
 */
function* fieldPaths(message: Uint8Array, path: string, depth: number): Generator<string> {
	const reader = new BinaryReader(message);
	try {
		while (reader.pos < reader.len) {
			const [field, type] = reader.tag();
			const here = path === "" ? String(field) : `${path}.${field}`;
			if (type !== WireType.LengthDelimited) {
				reader.skip(type, field);
				yield here;
				continue;
			}
			const bytes = reader.bytes();
			const inner = depth < DEEPEST && isMessage(bytes) ? [...fieldPaths(bytes, here, depth + 1)] : [];
			if (inner.length > 0) yield* inner;
			else yield here;
		}
	} catch {
		// The rest of a message that cannot be read is left out.
	}
}

function isMessage(bytes: Uint8Array): boolean {
	const reader = new BinaryReader(bytes);
	try {
		while (reader.pos < reader.len) {
			const [field, type] = reader.tag();
			reader.skip(type, field);
		}
		return reader.pos === reader.len;
	} catch {
		return false;
	}
}
