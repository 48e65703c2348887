import { GatewayError } from "../turn/error.ts";
import type { TurnRequest } from "../turn/request.ts";
import { type OutputRule, objection } from "./output-rule.ts";

/** The rule of a `tool_choice` that demands a call: the reply has to contain one. */
export function forcedCallRule(request: TurnRequest): OutputRule | undefined {
	const { toolChoice, tools, output } = request;
	if (toolChoice.kind !== "required" && toolChoice.kind !== "tool") return undefined;
	const allowed = toolChoice.kind === "tool" ? tools.filter(({ name }) => name === toolChoice.name) : tools;
	if (allowed.length === 0) return undefined;
	const wanted = toolChoice.kind === "tool" ? `the tool ${toolChoice.name}` : "one of your tools";
	return {
		request: { ...request, tools: allowed },
		ownTool: undefined,
		keepsTextBesideCalls: output.kind === "text",
		judge: ({ texts }) => ({
			kind: "wrong",
			repair: objection(texts, `You must call ${wanted} now. An answer in text alone is not accepted.`),
			error: new GatewayError("output-invalid", "The model did not make the tool call that tool_choice demands.", {
				nextStep: "Try again, set tool_choice to auto, or choose another model.",
			}),
		}),
	};
}
