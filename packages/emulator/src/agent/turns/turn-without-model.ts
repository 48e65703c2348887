import type { ConversationAction, ConversationStateStructure } from "@cursorwire/protocol/agent";
import { readRoots } from "../request/build-turn.ts";
import type { PlayedTurn, Run } from "../run-parts.ts";
import { summarise } from "../state/summarise.ts";
import { tellInjection } from "./live-actions.ts";
import { shellTurn } from "./shell-turn.ts";

/** Performs the actions that need no model. Returns undefined for all others. */
export async function turnWithoutModel(run: Run, { action }: ConversationAction): Promise<PlayedTurn | undefined> {
	const { state, link, blobs } = run;
	switch (action.case) {
		case "summarizeAction":
			return played(run, await summarise(state, await readRoots(state, blobs), link, blobs));
		case "shellCommandAction":
			return played(run, await shellTurn(run, action.value.shellCommand?.command ?? ""));
		case "injectContextAction": {
			const reason = "no run is active that it could steer";
			tellInjection(link, action.value.injectionId, {
				case: "rejected",
				value: { $typeName: "agent.v1.ContextInjectionRejected", reason },
			});
			return played(run, state);
		}
		// As first messages these have nothing to act on.
		case "cancelAction":
		case "cancelSubagentAction":
		case "backgroundShellAction":
		case "backgroundSubagentAction":
			return played(run, state);
		default:
			return undefined;
	}
}

function played({ link }: Run, state: ConversationStateStructure): PlayedTurn {
	const checkpoint = async () => {
		link.send({ case: "conversationCheckpointUpdate", value: state });
		return state;
	};
	return { checkpoint, usage: {}, bill: undefined };
}
