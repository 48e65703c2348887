import { StreamUnifiedChatRequest_UnifiedMode as UnifiedMode } from "@cursorwire/protocol/aiserver";
import type { TurnMode } from "../../../turn/request.ts";

export interface NamedMode {
	mode: UnifiedMode;
	name: string;
}

const CHAT = { mode: UnifiedMode.CHAT, name: "Chat" };
const AGENT = { mode: UnifiedMode.AGENT, name: "Agent" };

/** The modes that the protocol knows. What it calls chat is the ask of the newer one. */
export const UNIFIED_MODES: Readonly<Partial<Record<TurnMode, NamedMode>>> = {
	chat: CHAT,
	ask: CHAT,
	agent: AGENT,
	edit: { mode: UnifiedMode.EDIT, name: "Edit" },
	custom: { mode: UnifiedMode.CUSTOM, name: "Custom" },
	plan: { mode: UnifiedMode.PLAN, name: "Plan" },
	debug: { mode: UnifiedMode.DEBUG, name: "Debug" },
};

/** The mode that a client names, or else the one that its tools suggest. */
export function unifiedMode(wanted: TurnMode | undefined, hasTools: boolean): NamedMode {
	return (wanted && UNIFIED_MODES[wanted]) ?? (hasTools ? AGENT : CHAT);
}
