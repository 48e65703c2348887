import { fromBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import {
	type ConversationStateStructure,
	ConversationStepSchema,
	ConversationTurnStructureSchema,
	UserMessageSchema,
} from "@cursorwire/protocol/agent";
import { describe, expect, it } from "vitest";
import type { Brain } from "../src/index.ts";
import { useEmulators } from "./kit/emulators.ts";
import { execResult, RunClient, streamClose, textResult } from "./kit/run-client.ts";

const start = useEmulators();

/** Says which user messages the model sees. */
const recall: Brain = async function* (turn) {
	const users = turn.messages.filter(({ role }) => role === "user");
	yield {
		text: users
			.map(({ content }) => content.map((part) => (part.type === "text" ? part.text : "")).join(""))
			.join(" | "),
	};
};

const state = (fields: Partial<ConversationStateStructure>) => fields as ConversationStateStructure;
const json = (value: unknown) => Buffer.from(JSON.stringify(value));

describe("conversation state", () => {
	it("is carried by the client: a checkpoint sent back recalls the first turn", async () => {
		const emulator = await start({ brain: recall });
		const client = await RunClient.connect(emulator);
		const first = await client.run({ prompt: "my name is Ada" });
		const second = await client.run({ prompt: "who am I?", state: first.checkpoints.at(-1) });
		expect(second.text).toBe("my name is Ada | who am I?");
		const forgotten = await client.run({ prompt: "who am I?" });
		expect(forgotten.text).toBe("who am I?");
	});

	it("sends one checkpoint to resume from and a terminal one behind turn_ended", async () => {
		const emulator = await start({ brain: "echo" });
		const client = await RunClient.connect(emulator);
		const outcome = await client.run({ prompt: "hi" });
		expect(outcome.checkpoints).toHaveLength(2);
		const last = outcome.checkpoints.at(-1)!;
		expect(last.turns).toHaveLength(1);
		expect(last.tokenDetails).toMatchObject({ maxTokens: 200_000 });
	});

	it("keeps the turn as blobs: user message, steps, turn", async () => {
		const emulator = await start({
			async *brain() {
				yield { thinking: "hm" };
				yield { text: "well" };
				yield { calls: [{ name: "t" }] };
			},
		});
		const client = await RunClient.connect(emulator);
		const outcome = await client.run({
			prompt: "hi",
			tools: [{ name: "t" }],
			onExec: (exec) => textResult(exec, "done"),
		});
		const blob = (id: Uint8Array) => client.blobs.get(Buffer.from(id).toString("hex"))!;
		const { turn } = fromBinary(ConversationTurnStructureSchema, blob(outcome.checkpoints.at(-1)!.turns[0]!));
		if (turn.case !== "agentConversationTurn") throw new Error("wrong turn");
		expect(fromBinary(UserMessageSchema, blob(turn.value.userMessage)).text).toBe("hi");
		const steps = turn.value.steps.map((id) => fromBinary(ConversationStepSchema, blob(id)).message.case);
		expect(steps).toEqual(["thinkingMessage", "assistantMessage", "toolCall"]);
	});

	it("keeps the parts of a result apart", async () => {
		const emulator = await start({
			async *brain(turn) {
				const [result] = turn.messages.flatMap(({ content }) => content).filter(({ type }) => type === "tool-result");
				if (result?.type === "tool-result") yield { text: String(result.result) };
				else yield { calls: [{ name: "t" }] };
			},
		});
		const client = await RunClient.connect(emulator);
		const content = ["one", "two"].map((text) => ({ content: { case: "text" as const, value: { text } } }));
		const first = await client.run({
			tools: [{ name: "t" }],
			onExec: (exec) => [
				execResult(exec, { case: "mcpResult", value: { result: { case: "success", value: { content } } } }),
				streamClose(exec),
			],
		});
		const second = await client.run({ prompt: "and?", state: first.checkpoints.at(-1) });
		expect(second.text).toBe("one\n\ntwo");
	});

	it("reads root messages of every kind", async () => {
		const emulator = await start({
			async *brain(turn) {
				yield {
					text: JSON.stringify([
						turn.system,
						turn.messages.map(({ role, content }) => [role, content.map(({ type }) => type)]),
					]),
				};
			},
		});
		const client = await RunClient.connect(emulator);
		const roots = [
			{ role: "system", content: "be brief" },
			{
				role: "user",
				content: [
					{ type: "text", text: "q" },
					{ type: "image", image: "data:image/png;base64,aGk=", mediaType: "image/png" },
				],
			},
			{
				role: "assistant",
				content: [
					{ type: "text", text: "a" },
					{ type: "tool-call", toolCallId: "call_1", toolName: "t", args: {} },
				],
			},
			{
				role: "tool",
				id: "call_1",
				content: [{ type: "tool-result", toolName: "t", toolCallId: "call_1", result: "r" }],
			},
		].map((message) => client.keep(json(message)));
		const outcome = await client.run({ resume: true, state: state({ rootPromptMessagesJson: roots }) });
		expect(JSON.parse(outcome.text)).toEqual([
			["be brief"],
			[
				["user", ["text", "image"]],
				["assistant", ["text", "tool-call"]],
				["tool", ["tool-result"]],
			],
		]);
		expect(emulator.stats().runs.resumed).toBe(1);
	});

	it("takes blobs sent in advance without asking for them", async () => {
		const emulator = await start({ brain: recall });
		const client = await RunClient.connect(emulator);
		const id = client.keep(json({ role: "user", content: "before" }));
		const preFetchedBlobs = [{ id, value: client.blobs.get(Buffer.from(id).toString("hex")) }];
		const outcome = await client.run({
			prompt: "now",
			state: state({ rootPromptMessagesJson: [id] }),
			request: { preFetchedBlobs },
		});
		expect(outcome.text).toBe("before | now");
		expect(emulator.stats().blobs.read).toBe(0);
	});

	it("goes on with an unfinished turn in place of beginning another", async () => {
		const emulator = await start({
			async *brain(turn) {
				if (turn.resumed) yield { text: " world" };
				else {
					yield { text: "hello" };
					yield { checkpoint: true };
					yield { drop: true };
				}
			},
		});
		const client = await RunClient.connect(emulator);
		let last: ConversationStateStructure | undefined;
		const onCheckpoint = (checkpoint: ConversationStateStructure) => {
			last = checkpoint;
		};
		await expect(client.run({ prompt: "greet", onCheckpoint })).rejects.toMatchObject({ name: "ConnectError" });
		expect(last?.turns).toHaveLength(1);
		const resumed = await client.run({ resume: true, state: last });
		expect(resumed.text).toBe(" world");
		expect(resumed.checkpoints.at(-1)!.turns).toHaveLength(1);
	});

	it("can empty old user entries, as the real backend was seen to do", async () => {
		const emulator = await start({ brain: recall, switches: ["checkpoint-users=placeholder"] });
		const client = await RunClient.connect(emulator);
		const first = await client.run({ prompt: "one" });
		const second = await client.run({ prompt: "two", state: first.checkpoints.at(-1) });
		const third = await client.run({ prompt: "three", state: second.checkpoints.at(-1) });
		expect(third.text).toBe(" | two | three");
	});
});

describe("requests that fail as they do at the real backend", () => {
	const bad = (id: string) =>
		json({ role: "assistant", content: [{ type: "tool-call", toolCallId: id, toolName: "t", args: {} }] });
	const CASES: [string, (client: RunClient) => Parameters<RunClient["run"]>[0], { code: Code; message: RegExp }][] = [
		[
			"a blob the client does not have",
			() => ({ state: state({ rootPromptMessagesJson: [Buffer.alloc(32, 7)] }) }),
			{ code: Code.Internal, message: /Blob not found/ },
		],
		[
			"content in place of a blob id",
			() => ({ state: state({ rootPromptMessagesJson: [Buffer.from('{"role":"user"}')] }) }),
			{ code: Code.Internal, message: /Blob not found/ },
		],
		[
			"a tool call id with a line break",
			(client) => ({ state: state({ rootPromptMessagesJson: [client.keep(bad("call_1\nfc_2"))] }) }),
			{ code: Code.ResourceExhausted, message: /^\[resource_exhausted\] Error$/ },
		],
		["an unknown model", () => ({ model: "gpt-99" }), { code: Code.NotFound, message: /Error/ }],
		[
			"an unknown parameter",
			() => ({ request: { requestedModel: { modelId: "gpt-5.4", parameters: [{ id: "mood", value: "good" }] } } }),
			{ code: Code.InvalidArgument, message: /mood/ },
		],
		[
			"no conversation state",
			() => ({ state: "absent" }),
			{ code: Code.InvalidArgument, message: /conversation_state/ },
		],
		[
			"a user message over 1 MiB",
			() => ({ prompt: "x".repeat((1 << 20) + 1) }),
			{ code: Code.InvalidArgument, message: /too long/ },
		],
		[
			"custom_system_prompt without the right to it",
			() => ({ request: { customSystemPrompt: "be a pirate" } }),
			{ code: Code.InvalidArgument, message: /custom_system_prompt/ },
		],
		[
			"exclude_workspace_context",
			() => ({ request: { excludeWorkspaceContext: true } }),
			{ code: Code.InvalidArgument, message: /exclude_workspace_context/ },
		],
	];

	it.each(CASES)("%s", async (_name, options, expected) => {
		const emulator = await start({ brain: "echo" });
		const client = await RunClient.connect(emulator);
		const failure = await client.run(options(client)).catch((error) => error);
		expect(failure.code).toBe(expected.code);
		expect(failure.message).toMatch(expected.message);
		expect(emulator.stats().runs.ended).toBe(0);
	});

	it("an empty quota pool, with the text a user is to read", async () => {
		const quota = { auto: { limitCents: 10, usedCents: 10 }, api: { limitCents: 10, usedCents: 0 } };
		const emulator = await start({
			brain: "echo",
			accounts: { accounts: [{ id: "user_1", acceptAnyKey: true, quota }] },
		});
		const client = await RunClient.connect(emulator);
		const failure = await client.run({ model: "composer-1" }).catch((error) => error);
		expect(failure.details[0].debug).toMatchObject({
			error: "ERROR_PRO_USER_USAGE_LIMIT",
			details: { title: "You've hit your usage limit", isRetryable: false },
		});
		expect((await client.run({ model: "gpt-5.4", prompt: "other pool" })).text).toBe("other pool");
	});
});
