import { expect, it } from "vitest";
import { emptyRequest } from "../../../turn/request.ts";
import type { ChannelChooser } from "../../channels/channel-chooser.ts";
import { agentDriver } from "../../protocols/agent/driver.ts";
import type { RunPlan } from "../../protocols/driver.ts";
import { DEFAULT_RUN_LIMITS } from "../run-limits.ts";
import { Approach } from "./approach.ts";

const services = {
	newId: () => "id",
	newCallId: () => "call",
	cacheTokens: "included" as const,
	limits: DEFAULT_RUN_LIMITS,
};

it("keeps nothing of the conversation once its request will not be put again", () => {
	const tools = [{ name: "look", description: "looks", inputSchema: { type: "object" }, kind: "function" as const }];
	const plan: RunPlan = {
		request: {
			...emptyRequest("m"),
			system: ["be brief"],
			messages: [{ role: "user", content: [{ type: "text", text: "a long prompt" }] }],
			tools,
			mode: "plan",
		},
		stored: undefined,
		conversationId: "c-1",
		runId: "r-1",
		model: { id: "gpt-5.4", parameters: {}, maxMode: false, name: "gpt-5.4" },
		systemPrompt: "cloud-rule",
		toolChannel: "run-request",
		environment: { osVersion: "os", timeZone: "UTC" },
		ghostMode: true,
	};
	const driver = agentDriver({} as ChannelChooser, () => {});
	const approach = new Approach({ plan, answering: { name: "m", description: "m" }, drivers: [driver] }, services);
	const { machine } = approach;
	expect(Buffer.from(approach.first).includes("a long prompt")).toBe(true);

	approach.forgetOpening();
	expect(approach.first).toHaveLength(0);
	expect(plan.request).toMatchObject({ messages: [], system: [], tools: [], mode: "plan" });
	expect(approach.machine).toBe(machine);
});
