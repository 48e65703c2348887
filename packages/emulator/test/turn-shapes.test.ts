import { describe, expect, it } from "vitest";
import type { Brain, EmulatorOptions } from "../src/index.ts";
import { useEmulators } from "./kit/emulators.ts";
import { RunClient, type RunOutcome, textResult } from "./kit/run-client.ts";

const start = useEmulators();
const TOOLS = [{ name: "t" }];
const kindsOf = ({ updates }: RunOutcome) => updates.map(({ case: kind }) => kind);

const calls: Brain = async function* (turn) {
	if (!turn.resumed) {
		yield { text: "I look. " };
		yield { calls: [{ name: "t", arguments: { a: 1 } }] };
	}
	const result = turn.messages.at(-1)?.content[0];
	yield { text: `It says ${result?.type === "tool-result" ? result.result : "nothing"}.` };
};

describe("steps", () => {
	it("begin and end in pairs, the last one as well", async () => {
		const client = await RunClient.connect(await start({ brain: calls, switches: ["step-updates=both"] }));
		const outcome = await client.run({ tools: TOOLS, onExec: (exec) => textResult(exec, "r") });
		const marks = kindsOf(outcome).filter((kind) => /^(step|textDelta|toolCallCompleted|turnEnded)/.test(kind ?? ""));
		expect(marks).toEqual([
			"stepStarted",
			"textDelta",
			"toolCallCompleted",
			"stepCompleted",
			"stepStarted",
			"textDelta",
			"stepCompleted",
			"turnEnded",
		]);
	});
});

describe("the model behind auto", () => {
	const routed = async (model: string, clientSupportsRoutedModelUpdate: boolean) => {
		const client = await RunClient.connect(await start({ brain: "echo" }));
		const { updates } = await client.run({ model, request: { clientSupportsRoutedModelUpdate } });
		return updates.flatMap((update) => (update.case === "routedModel" ? [update.value.displayName] : []));
	};

	it("is told to a client that asks for it, and to no other", async () => {
		expect(await routed("default", true)).toEqual(["Composer 1"]);
		expect(await routed("default", false)).toEqual([]);
		expect(await routed("composer-1", true)).toEqual([]);
	});
});

describe("pending_tool_calls", () => {
	it("name the calls that wait, and are asked for again by whoever resumes there", async () => {
		const client = await RunClient.connect(await start({ brain: calls, switches: ["pending-tool-calls=sent"] }));
		const leave = new AbortController();
		const seen: RunOutcome["checkpoints"] = [];
		await client
			.run({
				tools: TOOLS,
				signal: leave.signal,
				onCheckpoint: (state) => seen.push(state),
				onExec: () => {
					leave.abort();
					return undefined;
				},
			})
			.catch(() => {});
		expect(JSON.parse(seen.at(-1)!.pendingToolCalls[0]!)).toMatchObject({
			role: "assistant",
			content: [{ type: "tool-call", toolName: "t", args: { a: 1 } }],
		});
		const resumed = await client.run({
			state: seen.at(-1),
			resume: true,
			tools: TOOLS,
			onExec: (exec) => textResult(exec, "sunny"),
		});
		expect(resumed.text).toBe("It says sunny.");
		expect(resumed.checkpoints.at(-1)).toMatchObject({ pendingToolCalls: [], turns: [expect.anything()] });
	});
});

describe("a conversation that the model's window does not hold", () => {
	const SMALL: EmulatorOptions["accounts"] = {
		accounts: [{ id: "user_1", acceptAnyKey: true }],
		models: [{ id: "composer-1", displayName: "Composer 1", pool: "auto", contextTokens: 300 }],
	};
	const recalls: Brain = async function* ({ messages }) {
		yield { text: JSON.stringify(messages.map(({ content }) => content)) };
	};
	const long = async (setting: string, prompt = "and now?") => {
		const emulator = await start({ brain: recalls, accounts: SMALL, switches: [`long-conversation=${setting}`] });
		const client = await RunClient.connect(emulator);
		const keep = (role: string, content: string) => client.keep(Buffer.from(JSON.stringify({ role, content })));
		const roots = [keep("system", "be brief"), keep("user", `my dog is Rex ${"and so on ".repeat(300)}`)];
		return client.run({ prompt, state: { rootPromptMessagesJson: roots } as never });
	};

	it("is summarised: the model reads the summary, and so does the next turn", async () => {
		const outcome = await long("compacted");
		expect(kindsOf(outcome).filter((kind) => kind?.startsWith("summary"))).toEqual([
			"summaryStarted",
			"summary",
			"summaryCompleted",
		]);
		expect(outcome.text).toContain("Summary of the conversation:");
		expect(outcome.text.length).toBeLessThan(1000);
		const state = outcome.checkpoints.at(-1)!;
		// The system entry, the summary, the new message and its answer.
		expect([state.rootPromptMessagesJson.length, state.selfSummaryCount]).toEqual([4, 1]);
	});

	it("is refused with the error of the real backend", async () => {
		for (const [setting, prompt] of [
			["refused", "and now?"],
			["compacted", "word ".repeat(2000)],
		]) {
			const error = await long(setting!, prompt).catch((problem) => problem);
			expect(JSON.stringify(error.details)).toContain("ERROR_CONVERSATION_TOO_LONG");
			expect(error.metadata.get("x-cursor-inference-request-error-type")).toBe("CONVERSATION_TOO_LONG");
		}
	});
});
