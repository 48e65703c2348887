import { inSlices, type Sliced } from "../time/slices.ts";
import type { Soon } from "../time/soon.ts";
import { isInForm, repairedHistory } from "../turn/normalize.ts";
import type { TurnRequest } from "../turn/request.ts";
import { makesNoDemands, NO_DEMANDS, toolSetHash } from "./hashes.ts";

/** The request with a history that can be sent, and the hash of its tools. */
export interface RepairedRequest {
	whole: TurnRequest;
	tools: string;
	warnings: readonly string[];
}

const NO_WARNINGS: readonly string[] = [];

/** At once for a request that needs no repair and has no tools. */
export function repairedRequest(request: TurnRequest): Soon<RepairedRequest> {
	const { messages, tools, toolChoice, output } = request;
	const isReady = isInForm(messages) && makesNoDemands(tools, toolChoice, output);
	return isReady ? { whole: request, tools: NO_DEMANDS, warnings: NO_WARNINGS } : inSlices(repaired(request));
}

function* repaired(request: TurnRequest): Sliced<RepairedRequest> {
	const { messages, warnings } = yield* repairedHistory(request.messages);
	const whole = messages === request.messages ? request : { ...request, messages };
	return { whole, tools: yield* toolSetHash(request), warnings };
}
