// Loops of tools, run by a library's own means.
import type { Brain, CallResult } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { steps } from "../kit/dialects/handmade-chat.ts";
import type { Talker } from "./client.ts";
import { BOTH, CHANNELS, startRig, stepTool } from "./rig.ts";

export function describeToolLoops(talker: Talker): void {
	for (const [channel, http1] of CHANNELS) {
		describe.each(BOTH)(`tools, %s, upstream over ${channel}`, (_, stream) => {
			it("run for five steps, in one run of Cursor", async () => {
				const { emulator, setup, paths } = await startRig({ brain: steps(5) }, { http1 });
				const { asked, tool } = stepTool();
				const { text, usage } = await talker.open(setup, [tool], stream).say("go");
				expect(text).toBe("r1 r2 r3 r4 r5");
				expect(asked).toEqual([1, 2, 3, 4, 5]);
				expect(paths).toEqual(["new", ...Array(5).fill("parked")]);
				expect(emulator.stats().runs).toMatchObject({ started: 1, resumedByToolResult: 5, ended: 1, failed: 0 });
				expect(usage.input).toBeGreaterThan(0);
				expect(usage.output).toBeGreaterThan(0);
			});

			it("run several of one step", async () => {
				const brain: Brain = async function* () {
					yield { text: "Let me see. " };
					const answers: CallResult[] = yield { calls: [1, 2, 3].map((n) => ({ name: "step", arguments: { n } })) };
					yield { text: answers.map(({ text }) => text).join(" ") };
				};
				const { emulator, setup, paths } = await startRig({ brain }, { http1 });
				const { asked, tool } = stepTool();
				expect((await talker.open(setup, [tool], stream).say("go")).text).toBe("r1 r2 r3");
				expect(asked).toEqual([1, 2, 3]);
				expect(paths).toEqual(["new", "parked"]);
				expect(emulator.stats().runs).toMatchObject({ started: 1, resumedByToolResult: 3 });
			});

			it("are not run where their arguments were cut", async () => {
				const mcp = { args: { name: "step", toolName: "step", toolCallId: "c1" } };
				const argsTextDelta = Buffer.from('{"n":1').toString("base64");
				const args = { callId: "c1", toolCall: { mcpToolCall: mcp }, argsTextDelta };
				const brain: Brain = async function* () {
					yield { update: { kind: "partial_tool_call", args } };
					yield { delay: 30 };
					yield { drop: true };
				};
				const { setup } = await startRig({ brain }, { http1 });
				const { asked, tool } = stepTool();
				const error = await talker
					.open(setup, [tool], stream)
					.say("go")
					.then(
						({ text }) => expect.unreachable(`took "${text}" for an answer`),
						(thrown) => talker.errorOf(thrown),
					);
				expect(error.message).toMatch(/cut in the middle of the answer/);
				expect(asked).toEqual([]);
			});
		});
	}
}

/** A loop as long as those of agents at work. */
export function itTakesFiftySteps(talker: Talker): void {
	it("takes a loop of fifty steps in one run of Cursor", async () => {
		const { emulator, setup, paths } = await startRig({ brain: steps(50) });
		const { asked, tool } = stepTool();
		const { text } = await talker.open(setup, [tool], true).say("go");
		expect(text.split(" ")).toHaveLength(50);
		expect(asked).toHaveLength(50);
		expect(paths).toEqual(["new", ...Array(50).fill("parked")]);
		expect(emulator.stats().runs).toMatchObject({ started: 1, resumedByToolResult: 50, ended: 1, failed: 0 });
	});
}
