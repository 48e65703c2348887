import { fromBinary } from "@bufbuild/protobuf";
import { type ConversationStateStructure, ConversationTurnStructureSchema } from "@cursorwire/protocol/agent";
import { hex, type RunBlobs } from "./blobs.ts";

/**
 * All blobs that a conversation state refers to, turns and what stands in them included. Undefined where one is not
 * here: the state cannot be gone on from.
 */
export function reachableBlobs(
	state: ConversationStateStructure,
	blobs: RunBlobs,
): Map<string, Uint8Array> | undefined {
	const direct = [
		...state.rootPromptMessagesJson,
		...state.turns,
		...state.todos,
		...state.summaryArchives,
		...Object.values(state.subagentStateRefs),
		...[state.summary, state.plan, state.summaryArchive].filter((id) => id !== undefined),
	];
	const ids = new Set(direct.filter((id) => id.length > 0).map(hex));
	for (const id of state.turns) {
		const data = blobs.get(id);
		if (!data) return undefined;
		for (const inner of turnBlobs(data)) ids.add(hex(inner));
	}
	const found = blobs.pick(ids);
	return found.size === ids.size ? found : undefined;
}

function turnBlobs(data: Uint8Array): Uint8Array[] {
	const { turn } = fromBinary(ConversationTurnStructureSchema, data);
	if (turn.case === "agentConversationTurn")
		return [turn.value.userMessage, ...turn.value.steps].filter((id) => id.length > 0);
	if (turn.case === "shellConversationTurn") {
		return [turn.value.shellCommand, turn.value.shellOutput].filter((id) => id.length > 0);
	}
	return [];
}
