import type { ExecServerMessage, InteractionQuery } from "@cursorwire/protocol/agent";
import type { ExecAnswer } from "./client-messages.ts";
type Decision = { kind: "throw"; error: string } | { kind: "answer"; answers: ExecAnswer[] } | { kind: "call"; call: { toolName: string; arguments: Record<string, unknown>; answer(r: { text: string; images: unknown[]; isError: boolean }): ExecAnswer[] } };
export function bridgeExec(_exec: ExecServerMessage, _tools: unknown): Decision { return { kind: "throw", error: "stub" }; }
export function defaultQueryAnswer(_q: Pick<InteractionQuery, "query">, _o: { approveWeb: boolean }): never { return { case: undefined } as never; }
