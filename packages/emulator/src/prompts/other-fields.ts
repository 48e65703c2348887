import { type DescMessage, type MessageShape, toJson } from "@bufbuild/protobuf";

/** All fields that are set, except those in `known`, and flags, which are for the server and not for the model. */
export function otherFields<Desc extends DescMessage>(
	place: string,
	schema: Desc,
	message: MessageShape<Desc> | undefined,
	known: readonly string[],
): Record<string, unknown> {
	if (!message) return {};
	const json = toJson(schema, message) as Record<string, unknown>;
	const others = Object.entries(json).filter(([name, value]) => !known.includes(name) && typeof value !== "boolean");
	return Object.fromEntries(others.map(([name, value]) => [`${place}.${name}`, value]));
}
