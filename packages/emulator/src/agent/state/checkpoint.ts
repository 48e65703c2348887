import { clone, create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
	type AgentConversationTurnStructure,
	type ConversationStateStructure,
	ConversationStateStructureSchema,
	ConversationStepSchema,
	ConversationTurnStructureSchema,
	type UserMessage,
	UserMessageSchema,
} from "@cursorwire/protocol/agent";
import type { Transcript } from "../playing/transcript.ts";
import type { Blobs } from "../stream/blobs.ts";
import { type RootMessage, serializeRootMessage } from "./root-messages.ts";

const EMPTY_USER_ENTRY = Buffer.from('{"role":"user","content":[]}');

export interface CheckpointInput {
	/** The state that the run began with. */
	before: ConversationStateStructure;
	roots: RootMessage[];
	/** The turn that a resume continues; undefined for a new one. */
	unfinished: AgentConversationTurnStructure | undefined;
	userMessage: UserMessage | undefined;
	transcript: Transcript;
	requestId: string;
	usedTokens: number;
	maxTokens: number;
	emptyOldUsers: boolean;
	/** Messages with calls that have no result yet, as JSON. */
	pendingToolCalls: string[];
	/** The display name of the model, if the server chose it. */
	routedModel: string | undefined;
}

/** Stores everything that the new state refers to, then returns the state: docs/protocol.md, Checkpoints and Blobs. */
export async function makeCheckpoint(input: CheckpointInput, blobs: Blobs): Promise<ConversationStateStructure> {
	const { before, transcript } = input;
	const newRoots = await Promise.all(transcript.messages.map((message) => blobs.set(serializeRootMessage(message))));
	const steps = await Promise.all(transcript.steps.map((step) => blobs.set(toBinary(ConversationStepSchema, step))));
	const userMessage = input.userMessage
		? await blobs.set(toBinary(UserMessageSchema, input.userMessage))
		: (input.unfinished?.userMessage ?? new Uint8Array());
	const turn = create(ConversationTurnStructureSchema, {
		turn: {
			case: "agentConversationTurn",
			value: {
				userMessage,
				steps: [...(input.unfinished?.steps ?? []), ...steps],
				requestId: input.requestId,
				routedModelDisplayName: input.routedModel,
			},
		},
	});
	const turnId = await blobs.set(toBinary(ConversationTurnStructureSchema, turn));
	const state = clone(ConversationStateStructureSchema, before);
	state.rootPromptMessagesJson = [...(await oldRoots(input, blobs)), ...newRoots];
	state.turns = [...(input.unfinished ? before.turns.slice(0, -1) : before.turns), turnId];
	state.pendingToolCalls = input.pendingToolCalls;
	state.tokenDetails = {
		$typeName: "agent.v1.ConversationTokenDetails",
		usedTokens: input.usedTokens,
		maxTokens: input.maxTokens,
	};
	return state;
}

async function oldRoots(input: CheckpointInput, blobs: Blobs): Promise<Uint8Array[]> {
	const ids = input.before.rootPromptMessagesJson;
	if (!input.emptyOldUsers) return ids;
	const empty = await blobs.set(EMPTY_USER_ENTRY);
	return ids.map((id, index) => (input.roots[index]?.role === "user" ? empty : id));
}

/** The last turn of a state, which a client asks to resume. */
export async function unfinishedTurn(
	state: ConversationStateStructure,
	blobs: Blobs,
): Promise<AgentConversationTurnStructure | undefined> {
	const id = state.turns.at(-1);
	if (!id) return undefined;
	const { turn } = fromBinary(ConversationTurnStructureSchema, await blobs.get(id));
	return turn.case === "agentConversationTurn" ? turn.value : undefined;
}
