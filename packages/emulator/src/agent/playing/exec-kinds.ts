import { type DescField, type DescMessage, fromJson, type JsonValue, type Message } from "@bufbuild/protobuf";
import { ExecServerMessageSchema } from "@cursorwire/protocol/agent";

interface ExecKind {
	/** `shell_stream`, `read`, …: the field name without `_args`. */
	kind: string;
	field: DescField;
	args: DescMessage;
}

/** Every exec request of the protocol, read from the schema: docs/protocol.md, Exec requests. */
export const EXEC_KINDS: Map<string, ExecKind> = new Map(
	ExecServerMessageSchema.fields
		.filter((field) => field.oneof?.name === "message" && field.fieldKind === "message")
		.map((field) => {
			const kind = field.name.replace(/_(exec_)?(args|request)$/, "");
			return [kind, { kind, field, args: field.message! }];
		}),
);

/** The message of an exec request, from its kind and its fields as JSON. */
export function execMessage(kind: string, args: Record<string, unknown>, toolCallId: string) {
	const entry = EXEC_KINDS.get(kind);
	if (!entry) throw new Error(`unknown exec kind "${kind}" (known: ${[...EXEC_KINDS.keys()].join(", ")})`);
	const takesCallId = entry.args.fields.some((field) => field.name === "tool_call_id");
	const json = { ...(takesCallId && { toolCallId }), ...args };
	const value: Message = fromJson(entry.args, json as JsonValue);
	return { case: entry.field.localName, value };
}
