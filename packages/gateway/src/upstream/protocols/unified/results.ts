import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ClientSideToolV2ResultSchema } from "@cursorwire/protocol/aiserver";

/** What a tool gave, apart from the ids of its call. */
export type ResultInit = Omit<
	MessageInitShape<typeof ClientSideToolV2ResultSchema>,
	"$typeName" | "$unknown" | "tool" | "toolCallId"
>;

/** A tool that failed or was refused, with what the model is to read. */
export function toolError(text: string): ResultInit {
	return { error: { clientVisibleErrorMessage: text, modelVisibleErrorMessage: text } };
}
