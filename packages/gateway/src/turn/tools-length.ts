import type { ToolDefinition } from "./request.ts";

/** Lengths of tool lists that somebody has written as text, because that takes too long to be done for the length. */
const lengths = new WeakMap<readonly ToolDefinition[], number>();

/** Remembers how many characters the definitions of tools have, with their schemas. */
export function rememberToolsLength(tools: readonly ToolDefinition[], characters: number): void {
	lengths.set(tools, characters);
}

/** Undefined if nobody has written them as text. */
export const toolsLength = (tools: readonly ToolDefinition[]): number | undefined => lengths.get(tools);
