import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { AgentClientMessageSchema, ConversationStateStructureSchema } from "@cursorwire/protocol/agent";
import { describe, expect, it } from "vitest";
import { pausesOf } from "../../../../test/kit/slices.ts";
import { atOnce, SLICE_LENGTH } from "../../../time/slices.ts";
import { emptyRequest, type TurnRequest } from "../../../turn/request.ts";
import type { RunPlan } from "../driver.ts";
import { RunBlobs } from "./blobs.ts";
import { prepareParts, prepareRun } from "./run-request.ts";

const plan = (request: Partial<TurnRequest>, more: Partial<RunPlan> = {}): RunPlan => ({
	request: { ...emptyRequest("m"), messages: [{ role: "user", content: [{ type: "text", text: "hä?" }] }], ...request },
	stored: undefined,
	conversationId: "c-1",
	runId: "r-1",
	model: { id: "gpt-5.4", parameters: { reasoning: "high", fast: "true" }, maxMode: true, name: "gpt-5.4-high" },
	systemPrompt: "cloud-rule",
	toolChannel: "run-request",
	environment: { osVersion: "os", timeZone: "UTC" },
	ghostMode: true,
	...more,
});

/** The message as the schema reads it. Bytes that the schema would write otherwise are found out too. */
function read(bytes: Uint8Array) {
	const decoded = fromBinary(AgentClientMessageSchema, bytes);
	expect(Buffer.from(toBinary(AgentClientMessageSchema, decoded)).toString("hex")).toBe(
		Buffer.from(bytes).toString("hex"),
	);
	if (decoded.message.case !== "runRequest") throw new Error("not a run request");
	return decoded.message.value;
}

type RunRequest = ReturnType<typeof read>;

function contextOf({ action }: RunRequest) {
	const { case: kind, value } = action!.action;
	return kind === "userMessageAction" || kind === "resumeAction" ? value.requestContext : undefined;
}

/** How often the system prompt stands in each place. */
function systemPlaces(request: RunRequest) {
	const context = contextOf(request);
	return {
		cloudRule: context?.cloudRule ? 1 : 0,
		rules: context?.rules.length,
		root: request.conversationState!.rootPromptMessagesJson.length,
		custom: request.customSystemPrompt ? 1 : 0,
	};
}

const tools = [{ name: "look", description: "looks", inputSchema: { type: "object" }, kind: "function" as const }];

describe("the first message of a run", () => {
	it("shares the tools with other runs that offer the same", () => {
		const [one, other] = [1, 2].map(() => prepareRun(plan({ tools: structuredClone(tools) }), new RunBlobs()));
		expect(one!.tools).toEqual(tools);
		expect(other!.tools).toBe(one!.tools);
		expect(other!.names).toBe(one!.names);
		expect(other!.context).toBe(one!.context);
		const renamed = prepareRun(plan({ tools: [{ ...tools[0]!, name: "see" }] }), new RunBlobs());
		expect(renamed.tools.map(({ name }) => name)).toEqual(["see"]);
	});

	it("is what the schema makes of the same content", () => {
		const { first } = prepareRun(plan({ system: ["be brief"], tools }), new RunBlobs());
		const request = read(first);
		expect(request).toMatchObject({
			conversationId: "c-1",
			runId: "r-1",
			requestedModel: {
				modelId: "gpt-5.4",
				maxMode: true,
				parameters: [
					{ id: "reasoning", value: "high" },
					{ id: "fast", value: "true" },
				],
			},
			mcpTools: { mcpTools: [{ name: "look", description: "looks" }] },
		});
		expect(request.customSystemPrompt).toBeUndefined();
		const action = request.action!.action;
		if (action.case !== "userMessageAction") throw new Error("wrong action");
		expect(action.value.userMessage).toMatchObject({ text: "hä?", mode: 1 });
		expect(action.value.requestContext).toMatchObject({ cloudRule: "be brief", rules: [], tools: [] });
		expect(request.conversationState!.rootPromptMessagesJson).toHaveLength(0);
	});

	it.each([
		["cloud-rule", { cloudRule: 1, rules: 0, root: 0, custom: 0 }],
		["rules", { cloudRule: 0, rules: 1, root: 0, custom: 0 }],
		["root", { cloudRule: 0, rules: 0, root: 1, custom: 0 }],
		["custom", { cloudRule: 0, rules: 0, root: 0, custom: 1 }],
		["all", { cloudRule: 1, rules: 1, root: 1, custom: 0 }],
	] as const)("has the system prompt where %s says, also when it goes on from a checkpoint", (systemPrompt, places) => {
		const { first, resume } = prepareRun(plan({ system: ["be brief"] }, { systemPrompt }), new RunBlobs());
		const { root, ...others } = places;
		expect(systemPlaces(read(first))).toEqual(places);
		// A checkpoint has root messages of its own.
		expect(systemPlaces(read(resume(create(ConversationStateStructureSchema))))).toEqual({ ...others, root: 0 });
	});

	it.each([
		["run-request", [1, 0]],
		["request-context", [0, 1]],
		["both", [1, 1]],
	] as const)("has the tools where %s says, also when it goes on from a checkpoint", (toolChannel, places) => {
		const { first, resume } = prepareRun(plan({ tools }, { toolChannel }), new RunBlobs());
		for (const bytes of [first, resume(create(ConversationStateStructureSchema))]) {
			const request = read(bytes);
			expect([request.mcpTools?.mcpTools.length, contextOf(request)?.tools.length]).toEqual(places);
		}
	});

	it("carries images, a custom prompt, and a history that ends with a result", () => {
		const image = { type: "image" as const, mediaType: "image/png", data: Buffer.from("png") };
		const withImage = read(prepareRun(plan({ messages: [{ role: "user", content: [image] }] }), new RunBlobs()).first);
		const action = withImage.action!.action;
		expect(
			action.case === "userMessageAction" && action.value.userMessage?.selectedContext?.selectedImages,
		).toHaveLength(1);
		const custom = read(prepareRun(plan({ system: ["pirate"] }, { systemPrompt: "custom" }), new RunBlobs()).first);
		expect(custom.customSystemPrompt).toBe("pirate");
		expect(custom.conversationState!.rootPromptMessagesJson).toHaveLength(0);
		const call = { type: "tool-call" as const, id: "1", name: "look", arguments: "{}" };
		const result = { type: "tool-result" as const, callId: "1", content: [], isError: false };
		const resumed = read(
			prepareRun(
				plan({
					messages: [
						{ role: "user", content: [] },
						{ role: "assistant", content: [call] },
						{ role: "tool", content: [result] },
					],
				}),
				new RunBlobs(),
			).first,
		);
		expect(resumed.action!.action.case).toBe("resumeAction");
		expect(resumed.conversationState!.turns).toHaveLength(1);
	});

	it("goes on from a checkpoint with everything else unchanged", () => {
		const checkpoint = create(ConversationStateStructureSchema, { turns: [Buffer.alloc(32, 1)] });
		const { first, resume } = prepareRun(plan({ tools }), new RunBlobs());
		const [before, after] = [read(first), read(resume(checkpoint))];
		expect(after.action!.action.case).toBe("resumeAction");
		expect(after.conversationState!.turns).toHaveLength(1);
		expect([after.runId, after.mcpTools]).toEqual([before.runId, before.mcpTools]);
	});
});

describe("what takes long about a run", () => {
	const text = (words: string) => [{ type: "text" as const, text: words }];
	const long = (): Partial<TurnRequest> => ({
		system: ["be brief", '"quoted"\n'.repeat(SLICE_LENGTH / 2)],
		messages: Array.from({ length: 3001 }, (_, index) =>
			index % 2 === 0
				? { role: "user", content: text(`question ${index}`) }
				: { role: "assistant", content: text(`answer ${index}`) },
		),
	});

	it.each(["all", "root"] as const)("is done beforehand, in slices, and once for all attempts (%s)", (systemPrompt) => {
		const prepared = plan(long(), { systemPrompt });
		expect(pausesOf(prepareParts(prepared))).toBeGreaterThan(3000);
		// Five pieces of JSON and as many to hash; the history is there already.
		expect(pausesOf(prepareParts(prepared))).toBeLessThan(50);
		const [blobs, otherBlobs] = [new RunBlobs(), new RunBlobs()];
		const { first } = prepareRun(prepared, blobs);
		expect(Buffer.from(first).equals(prepareRun(plan(long(), { systemPrompt }), otherBlobs).first)).toBe(true);
		const { rootPromptMessagesJson: roots, turns } = read(first).conversationState!;
		expect([roots.length, turns.length]).toEqual([3001, 1500]);
		for (const id of [...roots, ...turns]) {
			if (!Buffer.from(blobs.get(id)!).equals(otherBlobs.get(id)!)) expect.fail("another content");
		}
		const entry = JSON.parse(Buffer.from(blobs.get(roots[0]!)!).toString());
		expect(entry).toEqual({ role: "system", content: prepared.request.system.join("\n\n") });
		expect(Buffer.from(blobs.get(roots[3000]!)!).toString()).toContain("answer 2999");
	});

	it("is done again for a system prompt that travels in another way, and the history is not", () => {
		const custom = plan(long(), { systemPrompt: "custom" });
		atOnce(prepareParts(custom));
		const root: RunPlan = { ...custom, systemPrompt: "root" };
		expect(pausesOf(prepareParts(root))).toBeLessThan(50);
		const request = read(prepareRun(root, new RunBlobs()).first);
		expect(request.customSystemPrompt).toBeUndefined();
		expect(request.conversationState!.rootPromptMessagesJson).toHaveLength(3001);
	});

	it("is not to go through the blobs of a conversation", () => {
		const blobs = new Map([["ab", Buffer.from("content")]]);
		blobs[Symbol.iterator] = () => expect.fail("it went through them");
		const run = new RunBlobs();
		run.load(blobs);
		expect(run.get(Buffer.from("ab", "hex"))).toBe(blobs.get("ab"));
		expect(run.pick(["ab", "cd"])).toEqual(new Map([["ab", blobs.get("ab")]]));
		run.set(Buffer.from("ab", "hex"), Buffer.from("newer"));
		expect(Buffer.from(run.get(Buffer.from("ab", "hex"))!).toString()).toBe("newer");
	});
});
