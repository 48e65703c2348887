import { inSlices } from "../../../time/slices.ts";
import type { CountUnknown } from "../../census/census.ts";
import type { ChannelChooser } from "../../channels/channel-chooser.ts";
import type { Driver, MachineServices, RunPlan } from "../driver.ts";
import { RunBlobs } from "./blobs.ts";
import { AgentMachine } from "./machine.ts";
import { isShort, prepareParts, prepareRun } from "./run-request.ts";
import { WebSearches } from "./web-searches.ts";

/** `agent.v1.AgentService`, which current clients speak. */
export function agentDriver(channels: ChannelChooser, countUnknown: CountUnknown): Driver {
	return {
		protocol: "agent",
		channels,
		countUnknown,
		prepare(plan) {
			if (isShort(plan)) return;
			const preparing = inSlices(prepareParts(plan));
			if (preparing instanceof Promise) return preparing.then(() => {});
		},
		begin(plan, services) {
			const blobs = new RunBlobs(services.limits);
			const { names, tools, context, first, resume } = prepareRun(plan, blobs);
			const { cacheTokens, limits, newCallId, observe } = services;
			const machine = new AgentMachine({
				names,
				tools,
				context,
				blobs,
				resume,
				parallelToolCalls: plan.request.parallelToolCalls,
				countUnknown,
				searches: searchesOf(plan, services),
				cacheTokens,
				limits,
				newCallId,
				observe,
			});
			return { machine, first };
		},
	};
}

/** Most clients know nothing of searches. */
function searchesOf({ request, searchesWeb = false }: RunPlan, services: MachineServices): WebSearches | undefined {
	const { webSearch } = request;
	const newId = () => services.newId().replaceAll("-", "");
	return webSearch && new WebSearches({ wish: webSearch, isApproved: searchesWeb, newId });
}
