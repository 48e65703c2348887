import { create, type DescField, type DescMessage, type Message, ScalarType, toJson } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";

/**
 * Copies the fields that two message types share, by name. The protocol describes each tool twice, as a request to the
 * client and for display, with types that mostly agree.
 */
export function copySharedFields(source: Message, from: DescMessage, to: DescMessage): Message {
	if (from.typeName === to.typeName) return source;
	const target = create(to);
	const read = reflect(from, source);
	const write = reflect(to, target);
	for (const field of to.fields) {
		const twin = from.fields.find((candidate) => candidate.name === field.name);
		if (twin && read.isSet(twin)) copyField(read, twin, write, field);
	}
	keepFailure(read, write);
	return target;
}

function copyField(read: ReflectMessage, twin: DescField, write: ReflectMessage, field: DescField): void {
	if (field.fieldKind === "scalar" && twin.fieldKind === "scalar") {
		const value = convert(read.get(twin), field.scalar);
		if (value !== undefined) write.set(field, value);
	} else if (field.fieldKind === "message" && twin.fieldKind === "message") {
		const inner = (read.get(twin) as ReflectMessage).message;
		write.set(field, reflect(field.message, copySharedFields(inner, twin.message, field.message)));
	}
}

const LONG = new Set([ScalarType.INT64, ScalarType.UINT64]);
const SHORT = new Set([ScalarType.INT32, ScalarType.UINT32, ScalarType.DOUBLE]);

/** The same number may be an int32 in one type and an int64 in the other. Text and bytes are never converted. */
function convert(value: unknown, to: ScalarType): unknown {
	if (typeof value === "number" || typeof value === "bigint") {
		if (LONG.has(to)) return BigInt(value);
		return SHORT.has(to) ? Number(value) : undefined;
	}
	const wanted = to === ScalarType.BYTES ? "object" : to === ScalarType.BOOL ? "boolean" : "string";
	return typeof value === wanted ? value : undefined;
}

/** A failure that the display form has no variant for becomes its error, as text. */
function keepFailure(read: ReflectMessage, write: ReflectMessage): void {
	const [oneof] = read.desc.oneofs;
	const chosen = oneof && read.oneofCase(oneof);
	const error = write.desc.fields.find((field) => field.name === "error" && field.fieldKind === "message");
	if (!chosen || !error || write.desc.oneofs.some((each) => write.oneofCase(each))) return;
	if (chosen.fieldKind !== "message" || error.fieldKind !== "message") return;
	const text = error.message.fields.find((field) => field.fieldKind === "scalar" && field.name.startsWith("error"));
	if (!text) return;
	const detail = JSON.stringify(toJson(chosen.message, (read.get(chosen) as ReflectMessage).message));
	const shown = reflect(error.message);
	shown.set(text, `${chosen.name}: ${detail}`);
	write.set(error, shown);
}
