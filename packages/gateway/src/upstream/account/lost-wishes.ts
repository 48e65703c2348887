import type { TurnMode } from "../../turn/request.ts";
import { AGENT_MODES } from "../protocols/agent/modes.ts";
import type { ProtocolName, WireModel } from "../protocols/driver.ts";
import { UNIFIED_MODES } from "../protocols/unified/modes.ts";

const MODES: Readonly<Record<ProtocolName, Readonly<Partial<Record<TurnMode, unknown>>>>> = {
	agent: AGENT_MODES,
	unified: UNIFIED_MODES,
	legacy: {},
};

/** One warning per requested option that a protocol cannot express. */
export function lostWishes(
	protocol: ProtocolName,
	mode: TurnMode | undefined,
	model: WireModel,
	searchesWeb: boolean,
): string[] {
	const lost: string[] = [];
	if (mode && !(mode in MODES[protocol])) lost.push(`the ${protocol} protocol has no mode "${mode}"; it has no effect`);
	if (searchesWeb && protocol !== "agent") lost.push(`the ${protocol} protocol has no web search; nothing is searched`);
	if (protocol !== "legacy") return lost;
	if (model.maxMode) lost.push("the legacy protocol has no Max Mode; it has no effect");
	return [...lost, ...lostParameters(model)];
}

/** Parameters that are not part of a variant's name cannot reach the model. */
function lostParameters({ id, name, parameters }: WireModel): string[] {
	const lost = name === id ? Object.keys(parameters) : [];
	return lost.length === 0 ? [] : [`the legacy protocol has no model parameters; ${lost.join(", ")} has no effect`];
}
