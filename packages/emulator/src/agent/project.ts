import { create, type DescMessage, type Message } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";

/**
 * Copies what two message types have in common, by field name. The protocol describes a tool twice, once as a request
 * to the client and once for display, with types that mostly agree.
 */
export function project(source: Message, from: DescMessage, to: DescMessage): Message {
	if (from.typeName === to.typeName) return source;
	const target = create(to);
	copyFields(reflect(from, source), reflect(to, target));
	return target;
}

function copyFields(source: ReflectMessage, target: ReflectMessage): void {
	for (const field of target.fields) {
		const twin = source.desc.fields.find((candidate) => candidate.name === field.name);
		if (!twin || twin.fieldKind !== field.fieldKind || !source.isSet(twin)) continue;
		if (field.fieldKind === "scalar" && twin.fieldKind === "scalar" && field.scalar === twin.scalar) {
			target.set(field, source.get(twin));
		} else if (field.fieldKind === "message" && twin.fieldKind === "message") {
			const inner = source.get(twin) as ReflectMessage;
			target.set(field, reflect(field.message, project(inner.message, twin.message, field.message)));
		}
	}
}
