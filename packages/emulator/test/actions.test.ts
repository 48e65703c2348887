import { fromBinary, type MessageInitShape } from "@bufbuild/protobuf";
import {
	BackgroundTaskKind,
	BackgroundTaskStatus,
	type ConversationActionSchema,
	ConversationTurnStructureSchema,
} from "@cursorwire/protocol/agent";
import { describe, expect, it } from "vitest";
import type { Brain, Turn } from "../src/index.ts";
import { useEmulators } from "./kit/emulators.ts";
import { type ClientMessage, execResult, RunClient, type RunOutcome, textResult } from "./kit/run-client.ts";

type ActionInit = Exclude<MessageInitShape<typeof ConversationActionSchema>, { $typeName: string }>["action"];

const start = useEmulators();
const TOOLS = [{ name: "t" }];

/** Says what it was asked, and what the model reads last. */
const tells: Brain = async function* (turn) {
	yield { text: JSON.stringify({ kind: turn.action.kind, newest: lastText(turn) }) };
};

function lastText({ messages }: Turn): string {
	return (
		messages
			.at(-1)
			?.content.map((part) => (part.type === "text" ? part.text : part.type))
			.join("") ?? ""
	);
}

async function act(brain: Brain | undefined, action: ActionInit, state?: RunOutcome["checkpoints"][number]) {
	const emulator = await start({ brain: brain ?? tells });
	const client = await RunClient.connect(emulator);
	const outcome = await client.run({ state, request: { action: { action } } });
	return { emulator, client, outcome };
}

const live = (action: ActionInit): ClientMessage => ({ case: "conversationAction", value: { action } });
const rootsOf = (client: RunClient, { checkpoints }: RunOutcome) =>
	checkpoints
		.at(-1)!
		.rootPromptMessagesJson.map((id) => JSON.parse(blob(client, id).toString()) as { role: string; content: unknown });
const blob = (client: RunClient, id: Uint8Array) => Buffer.from(client.blobs.get(Buffer.from(id).toString("hex"))!);
const kindsOf = ({ updates }: RunOutcome) => updates.map(({ case: kind }) => kind);
const injectionStates = ({ updates }: RunOutcome) =>
	updates.flatMap((update) => (update.case === "contextInjectionState" ? [update.value.state?.state.case] : []));

describe("what a run may be asked to do", () => {
	const completion = {
		taskId: "agent-7",
		kind: BackgroundTaskKind.SUBAGENT,
		status: BackgroundTaskStatus.SUCCESS,
		title: "look around",
		detail: "all is quiet",
	};
	const ASKED: [string, ActionInit, newest: string | RegExp][] = [
		["user_message", { case: "userMessageAction", value: { userMessage: { text: "hi" } } }, "hi"],
		["start_plan", { case: "startPlanAction", value: { userMessage: { text: "plan it" } } }, "plan it"],
		["execute_plan", { case: "executePlanAction", value: { plan: { plan: "1. dig" } } }, /1\. dig/],
		[
			"background_task_completion",
			{ case: "backgroundTaskCompletionAction", value: { completions: [completion] } },
			"Background subagent agent-7 (look around) ended: success.\nall is quiet",
		],
		[
			"subscription_notification",
			{ case: "subscriptionNotificationAction", value: { notifications: [{ text: "a" }, { text: "b" }] } },
			"b",
		],
		[
			"async_ask_question_completion",
			{ case: "asyncAskQuestionCompletionAction", value: { originalToolCallId: "call_1" } },
			/call_1/,
		],
		["goal_continuation", { case: "goalContinuationAction", value: {} }, ""],
		["resume", { case: "resumeAction", value: {} }, ""],
	];

	it.each(ASKED)("%s: the brain learns it, and the model reads what came with it", async (kind, action, newest) => {
		const { outcome } = await act(undefined, action);
		const told = JSON.parse(outcome.text);
		expect(told.kind).toBe(kind);
		if (newest instanceof RegExp) expect(told.newest).toMatch(newest);
		else expect(told.newest).toBe(newest);
		expect(outcome.turnEnded).toBe(true);
	});

	it("hands a brain the fields of the action as JSON", async () => {
		let seen: unknown;
		await act(
			async function* (turn) {
				seen = turn.action;
				yield { text: "ok" };
			},
			{ case: "backgroundTaskCompletionAction", value: { completions: [completion] } },
		);
		expect(seen).toMatchObject({
			kind: "background_task_completion",
			data: { completions: [{ taskId: "agent-7", detail: "all is quiet" }] },
		});
	});

	it("keeps a completion in the conversation, also one that is only to be recorded", async () => {
		const { client, outcome } = await act(undefined, {
			case: "backgroundTaskCompletionAction",
			value: { completions: [{ ...completion, recordOnly: true }] },
		});
		expect([outcome.text, outcome.turnEnded]).toEqual(["", true]);
		expect(JSON.stringify(rootsOf(client, outcome))).toContain("all is quiet");
		const next = await client.run({ prompt: "and?", state: outcome.checkpoints.at(-1) });
		expect(JSON.parse(next.text)).toEqual({ kind: "user_message", newest: "and?" });
	});

	it("summarize: a summary is told and takes the place of the messages", async () => {
		const { client, outcome: first } = await act(undefined, {
			case: "userMessageAction",
			value: { userMessage: { text: "my dog is Rex" } },
		});
		const state = first.checkpoints.at(-1);
		const summed = await client.run({ state, request: { action: { action: { case: "summarizeAction", value: {} } } } });
		expect(kindsOf(summed)).toEqual(["heartbeat", "summaryStarted", "summary", "summaryCompleted", "turnEnded"]);
		const roots = rootsOf(client, summed);
		expect(roots).toHaveLength(1);
		expect(JSON.stringify(roots)).toContain("my dog is Rex");
		const after = summed.checkpoints.at(-1)!;
		expect([after.summary?.length, after.summaryArchives.length, after.turns.length]).toEqual([32, 1, 1]);
	});

	it("shell_command: runs at the client, is shown, and is remembered as a turn of its own", async () => {
		const client = await RunClient.connect(await start({ brain: tells }));
		const event = (value: object) => ({ case: "shellStream" as const, value: { event: value as never } });
		const outcome = await client.run({
			request: { action: { action: { case: "shellCommandAction", value: { shellCommand: { command: "ls" } } } } },
			onExec: (exec) => [
				execResult(exec, event({ case: "stdout", value: { data: Buffer.from("a.txt") } })),
				execResult(exec, event({ case: "exit", value: { code: 0 } })),
			],
		});
		expect(kindsOf(outcome)).toEqual(["heartbeat", "shellOutputDelta", "shellOutputDelta", "turnEnded"]);
		expect(JSON.stringify(rootsOf(client, outcome))).toContain("a.txt");
		const [turn] = outcome.checkpoints.at(-1)!.turns;
		expect(fromBinary(ConversationTurnStructureSchema, blob(client, turn!)).turn.case).toBe("shellConversationTurn");
	});

	it.each(["cancelAction", "cancelSubagentAction", "backgroundShellAction", "backgroundSubagentAction"] as const)(
		"%s as the first message finds nothing to do and ends in order",
		async (kind) => {
			const { outcome } = await act(undefined, { case: kind, value: {} } as ActionInit);
			expect([outcome.text, outcome.turnEnded]).toEqual(["", true]);
		},
	);

	it("refuses an action of no kind", async () => {
		await expect(act(undefined, { case: undefined })).rejects.toThrow(/action is required/);
	});
});

describe("what a client sends while a turn runs", () => {
	const reads: Brain = async function* (turn) {
		yield { text: "first " };
		yield { calls: [{ name: "t" }] };
		yield { text: lastText(turn) };
	};
	const inject = (injectionId: string, more: object = {}): ClientMessage =>
		live({
			case: "injectContextAction",
			value: { injectionId, payload: { case: "userContext", value: { userMessage: { text: "turn left" } } }, ...more },
		});
	const during = async (brain: Brain, message: ClientMessage) => {
		const client = await RunClient.connect(await start({ brain }));
		let sent = false;
		const outcome = await client.run({
			tools: TOOLS,
			onUpdate(update, send) {
				if (sent || update.case !== "textDelta") return;
				sent = true;
				send(message);
			},
			onExec: async (exec) => {
				await new Promise((resolve) => setTimeout(resolve, 50));
				return textResult(exec, "r");
			},
		});
		return { client, outcome };
	};

	it("an injection is queued, and delivered with the next step", async () => {
		const { client, outcome } = await during(reads, inject("i1"));
		expect(injectionStates(outcome)).toEqual(["queued", "delivered"]);
		expect(outcome.text).toBe("first turn left");
		expect(client.emulator.prompts()[0]!.since).toContainEqual(
			expect.objectContaining({ role: "user", parts: [expect.objectContaining({ text: "turn left" })] }),
		);
		expect(rootsOf(client, outcome).map(({ role }) => role)).toEqual([
			"user",
			"assistant",
			"tool",
			"user",
			"assistant",
		]);
	});

	it("an injection for another run is rejected", async () => {
		const { outcome } = await during(reads, inject("i1", { expectedRunId: "another" }));
		expect(injectionStates(outcome)).toEqual(["rejected"]);
	});

	it("an injection that finds no further step begins the next turn", async () => {
		const waits: Brain = async function* (turn) {
			yield { text: `[${turn.prompt}]` };
			yield { delay: 60 };
		};
		const { outcome } = await during(waits, inject("i1"));
		expect(injectionStates(outcome)).toEqual(["queued", "queuedForNextTurn"]);
		expect(outcome.text).toBe("[hello][turn left]");
	});

	it("a message is queued and answered in a turn of its own, in the same stream", async () => {
		const queued = live({ case: "userMessageAction", value: { userMessage: { text: "and then?" } } });
		const answers: Brain = async function* (turn) {
			yield { text: `[${turn.prompt}]` };
			yield { delay: 60 };
		};
		const { client, outcome } = await during(answers, queued);
		expect(outcome.text).toBe("[hello][and then?]");
		expect(kindsOf(outcome).filter((kind) => kind === "userMessageAppended" || kind === "turnEnded")).toEqual([
			"userMessageAppended",
			"turnEnded",
		]);
		expect(outcome.checkpoints.at(-1)!.turns).toHaveLength(2);
		expect(rootsOf(client, outcome)).toHaveLength(4);
	});

	it("a completion of a background task reaches the running turn", async () => {
		const completions = [
			{
				taskId: "agent-7",
				kind: BackgroundTaskKind.SUBAGENT,
				status: BackgroundTaskStatus.ERROR,
				detail: "broke down",
			},
		];
		const { outcome } = await during(reads, live({ case: "backgroundTaskCompletionAction", value: { completions } }));
		expect(outcome.text).toContain("Background subagent agent-7 ended: error.\nbroke down");
	});

	it("a cancel aborts what the client was asked to do, and leaves no call without a result", async () => {
		const client = await RunClient.connect(await start({ brain: reads }));
		let asked = 0;
		let cancel = () => {};
		const outcome = await client.run({
			tools: TOOLS,
			onUpdate: (_update, send) => {
				cancel = () => send(live({ case: "cancelAction", value: { reason: "enough" } }));
			},
			onExec: (exec) => {
				asked = exec.id;
				cancel();
				return undefined;
			},
		});
		expect(outcome.aborted).toEqual([asked]);
		expect([outcome.text, outcome.turnEnded]).toEqual(["first ", true]);
		expect(rootsOf(client, outcome).map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
	});

	it("a message is shown to the client where it asks for that", async () => {
		const value = { userMessage: { text: "hi" }, sendToInteractionListener: true };
		const { outcome } = await act(undefined, { case: "userMessageAction", value });
		expect(kindsOf(outcome)).toContain("userMessageAppended");
	});
});
