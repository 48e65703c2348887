import { AgentMode } from "@cursorwire/protocol/agent";
import type { TurnMode } from "../../../turn/request.ts";

/** The modes that the protocol knows. What it calls ask is the chat of the older one. */
export const AGENT_MODES: Readonly<Partial<Record<TurnMode, AgentMode>>> = {
	agent: AgentMode.AGENT,
	ask: AgentMode.ASK,
	chat: AgentMode.ASK,
	plan: AgentMode.PLAN,
	debug: AgentMode.DEBUG,
	triage: AgentMode.TRIAGE,
	project: AgentMode.PROJECT,
	multitask: AgentMode.MULTITASK,
	custom: AgentMode.CUSTOM,
};
