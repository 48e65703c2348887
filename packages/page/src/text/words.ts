import type { LaneState, TurnRow } from "../../../gateway/src/page/contract.ts";
import { exact } from "./numbers.ts";

export const STATES: Record<LaneState, string> = {
	connecting: "connecting",
	thinking: "thinking",
	streaming: "streaming",
	tool: "calling a tool",
	waiting: "waiting for tools",
	retrying: "retrying",
};

const DIALECTS: Record<string, string> = {
	chat: "Chat Completions",
	responses: "Responses",
	messages: "Messages",
	completions: "Completions",
};

export const dialectName = (dialect: string): string => DIALECTS[dialect] ?? dialect;

export const POOLS: Record<"auto" | "api", string> = { auto: "Auto pool", api: "API pool" };

/** "1 turn", "1,234 turns". */
export const turnsText = (count: number): string => `${exact(count)} ${count === 1 ? "turn" : "turns"}`;

/** The name of an error kind, as words. */
export const errorWords = (kind: string): string => {
	const words = kind.replaceAll("-", " ");
	return words.charAt(0).toUpperCase() + words.slice(1);
};

export const failed = (turn: Pick<TurnRow, "status" | "errorKind">): boolean =>
	turn.errorKind !== undefined || turn.status >= 400;
