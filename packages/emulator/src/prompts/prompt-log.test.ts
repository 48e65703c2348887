import { expect, it } from "vitest";
import type { PromptFacts } from "./prompt.ts";
import { PromptLog } from "./prompt-log.ts";

const facts = (text: string): PromptFacts => ({
	...{ protocol: "legacy", rpc: "StreamChat", conversationId: "", model: "m", mode: "chat" },
	...{ system: [], tools: [], builtins: [], context: {}, history: [] },
	newest: { role: "user", content: [{ type: "text", text }] },
});
const play = async () => {};

function eye(options: { prompts?: number; print?: (text: string) => void } = {}) {
	return new PromptLog({ prompts: 10, characters: 1000, now: () => 0, print: undefined, ...options });
}

it("forgets the oldest prompts when all together are too long, also those that grew", async () => {
	const small = eye();
	for (let count = 0; count < 4; count++) small.watch(facts("x".repeat(400)), play);
	expect(small.list().map(({ number }) => number)).toEqual([3, 4]);
	await small.watch(facts("short"), play)({ text: "y".repeat(300) });
	expect(small.list().map(({ number }) => number)).toEqual([4, 5]);
});

it("keeps the newest prompt whatever its length", () => {
	const small = eye();
	for (let count = 0; count < 2; count++) small.watch(facts("x".repeat(5000)), play);
	expect(small.list().map(({ number }) => number)).toEqual([2]);
});

it("does not look where nothing is kept or printed", () => {
	expect(eye({ prompts: 0 }).watch(facts("hello"), play)).toBe(play);
});

it("prints a prompt and the results that come to it, each part apart", async () => {
	const printed: string[] = [];
	const shown = eye({ prompts: 0, print: (text) => printed.push(text) });
	const rule = "Answer in one sentence.";
	const watched = shown.watch(
		{
			...facts("two\nlines"),
			system: ["rules", "cloud_rule"].map((channel) => ({ channel, text: rule })),
			tools: ["one", "two"].map((name) => ({ place: "here", name, description: "", inputSchema: {} })),
			context: { env: { timeZone: "Europe/Oslo" } },
			history: [
				{
					role: "assistant",
					content: [
						{ type: "reasoning", text: "hm" },
						{ type: "tool-call", toolCallId: "c", toolName: "one", args: { a: 1 } },
					],
				},
				{
					role: "tool",
					content: [{ type: "tool-result", toolCallId: "c", toolName: "one", result: "no", isError: true }],
				},
				{ role: "user", content: [{ type: "image", mediaType: "image/png", data: Buffer.from("pixels") }] },
			],
		},
		async () => [{ content: [], text: "done", isError: false, raw: undefined }],
	);
	await watched({ calls: [{ name: "two" }] });
	expect(printed).toEqual([
		`━━ prompt 1 · legacy (StreamChat) · m · chat · about 52 tokens
── system, rules · 5 tokens
  ${rule}
── system, cloud_rule · 5 tokens
  ${rule}
── tools, here · 22 tokens
  one, two
── env: {"timeZone":"Europe/Oslo"}
── history 1, assistant · 7 tokens
- (thinking) hm
- (call of one) {"a":1}
── history 2, tool · 1 tokens
- (failure of one)
  - no
── history 3, user · 0 tokens
- (image/png, 6 bytes)
── newest, user · 3 tokens
- two
  lines
!! twice: the text "${rule}": system rules, system cloud_rule`,
		`── prompt 1 goes on, tool · 1 tokens
- (result of two)
  - done`,
	]);
});
