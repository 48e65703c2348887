import { AgentService } from "@cursorwire/protocol/agent";
import { AiService, DashboardService } from "@cursorwire/protocol/aiserver";
import type { GatewayError } from "../../../turn/error.ts";
import { getJson } from "../../account/rest.ts";
import { callUnary, type RpcClient } from "../../account/rpc.ts";
import { decodeThrown } from "../../errors/decode-wire-error.ts";
import { fromAvailable } from "./from-available.ts";
import { fromRest } from "./from-rest.ts";
import { fromUsable } from "./from-usable.ts";
import type { ModelLists } from "./model-lists.ts";

/** What the sources returned, and the first error among them. */
export interface ListsAnswer {
	lists: ModelLists;
	problem: GatewayError | undefined;
}

/** Asks all sources at once. The REST list is skipped without an API key, which it needs. */
export async function readLists(client: RpcClient, apiKey: string | undefined): Promise<ListsAnswer> {
	const { getUsableModels } = AgentService.method;
	const { availableModels } = AiService.method;
	const wish = { includeLongContextModels: true, useModelParameters: true, doNotUseMarkdown: true };
	const [usable, available, rest, autoPool] = await Promise.allSettled([
		callUnary(client, getUsableModels, {}).then(fromUsable),
		callUnary(client, availableModels, wish).then(fromAvailable),
		apiKey ? getJson(client, "/v1/models", apiKey).then(fromRest) : undefined,
		callUnary(client, DashboardService.method.getCurrentPeriodUsage, {}).then((usage) => usage.autoBucketModels),
	]);
	// The pool is optional information, so failing to read it does not count as a problem.
	const failed = [usable, available, rest].find((result) => result.status === "rejected");
	return {
		lists: {
			usable: listOf(usable),
			available: listOf(available),
			rest: listOf(rest),
			autoPool: listOf(autoPool),
		},
		problem: failed && decodeThrown(failed.reason),
	};
}

/** A backend that does not know the account yet returns an empty list, which counts as none. */
function listOf<T>(result: PromiseSettledResult<T[] | undefined>): T[] | undefined {
	return result.status === "fulfilled" && result.value?.length ? result.value : undefined;
}
