// The text of src/tool-kinds.ts: the kinds of tool calls in the facts.

/** @param {any} facts */
export function toolKindsText(facts) {
	const kinds = facts.messages["agent.v1.ToolCall"].fields.filter(({ oneof }) => oneof === "tool");
	return `// Written by \`npm run facts\`. All kinds of agent.v1.ToolCall, including those that the proto files leave out.
export const TOOL_KINDS: Readonly<Record<number, string>> = {
${kinds.map(({ no, name }) => `\t${no}: ${JSON.stringify(name)},`).join("\n")}
};
`;
}
