import { type ToolCall, ToolCallSchema } from "./gen/agent/v1/tool_call_pb.ts";
import { TOOL_KINDS } from "./tool-kinds.ts";

/** The name of a call's kind, such as `read_tool_call`; undefined if the kind is newer than the facts. */
export function toolKindOf({ tool, $unknown = [] }: ToolCall): string | undefined {
	if (tool.case !== undefined) return ToolCallSchema.field[tool.case].name;
	const left = $unknown.find(({ no }) => no in TOOL_KINDS);
	return left && TOOL_KINDS[left.no];
}
