// What Claude Code expects of a gateway: its protocol reference and what version 2.1.325 was seen to send.
import { request } from "node:http";
import type { CallResult } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";
import { ManualClock } from "../kit/manual-clock.ts";

const HEADERS = {
	"user-agent": "claude-cli/2.1.325 (external, sdk-cli)",
	"x-app": "cli",
	"anthropic-version": "2023-06-01",
	"anthropic-beta": "claude-code-20250219,interleaved-thinking-2025-05-14,tool-search-tool-2025-10-19",
	"anthropic-dangerous-direct-browser-access": "true",
	"x-claude-code-session-id": "10db0a0f-8563-42ca-9d5c-3ed00d6db0a2",
	"x-claude-code-agent-id": "a",
	"x-claude-code-parent-agent-id": "b",
	"x-stainless-retry-count": "0",
};
const BILLING = "x-anthropic-billing-header: cc_version=2.1.325; cc_entrypoint=cli; cch=00000;";
const HELLO = {
	...{ model: "claude-4.6-sonnet", max_tokens: 32_000, thinking: { type: "adaptive", display: "omitted" } },
	system: [
		{ type: "text", text: BILLING },
		{ type: "text", text: "You are Claude Code." },
	],
	messages: [{ role: "user", content: [{ type: "text", text: "hello" }] }] as object[],
	context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
	output_config: { effort: "high" },
};

async function ask(gateway: TestGateway, body: object = {}) {
	const response = await gateway.post("/v1/messages?beta=true", { ...HELLO, ...body }, { headers: HEADERS });
	const path = response.headers.get("x-cursorwire-path");
	return { status: response.status, headers: response.headers, path, body: JSON.parse(await response.text()) };
}

const echo = () => startTestGateway({ emulator: { brain: "echo" } });

describe("the contract of a gateway", () => {
	it("is a reply to its headers, with the attribution taken out of the prompt", async () => {
		const systems: string[] = [];
		const gateway = await startTestGateway({
			emulator: {
				async *brain(turn) {
					systems.push([...turn.system, ...turn.rules].join("\n"));
					yield { text: "hi" };
				},
			},
		});
		const answer = await ask(gateway);
		expect(answer.body).toMatchObject({ type: "message", stop_reason: "end_turn", content: [{ text: "hi" }] });
		expect(systems.join()).toContain("You are Claude Code.");
		expect(systems.join()).not.toContain("billing");
	});

	it("is an answer to HEAD /, whatever it is", async () => {
		const { url } = await echo();
		const status = await new Promise((resolve, reject) => {
			request(url, { method: "HEAD" }, (response) => resolve(response.resume().statusCode))
				.on("error", reject)
				.end();
		});
		expect(status).toBeLessThan(500);
	});

	it("is a list of models with names that it shows and that work", async () => {
		const gateway = await echo();
		// With its key in either header, and without following redirects.
		for (const headers of [HEADERS, { ...HEADERS, authorization: "", "x-api-key": gateway.key }]) {
			const response = await gateway.fetch("/v1/models?limit=1000", { headers, redirect: "error" });
			const { data } = (await response.json()) as { data: { id: string; display_name: string }[] };
			// It takes no others into its list.
			const usable = data.filter(({ id }) => /claude|anthropic/i.test(id));
			expect(usable.length).toBeGreaterThan(2);
			for (const { id, display_name } of usable) {
				expect(display_name).not.toBe("");
				expect((await ask(gateway, { model: id })).status).toBe(200);
			}
		}
	});

	it("counts tokens", async () => {
		const gateway = await echo();
		const response = await gateway.post("/v1/messages/count_tokens?beta=true", HELLO, { headers: HEADERS });
		expect(await response.json()).toEqual({ input_tokens: expect.any(Number) });
	});

	it("says by how much a prompt is too long, in the words that make it compact", async () => {
		const gateway = await startTestGateway({
			emulator: { brain: "echo", switches: ["long-conversation=refused"] },
		});
		const words = Array.from({ length: 20_000 }, (_, index) => `w${index % 97}`).join(" ");
		const messages = Array.from({ length: 11 }, (_, index) => ({
			role: index % 2 === 0 ? "user" : "assistant",
			content: words,
		}));
		for (const stream of [false, true]) {
			const { status, body } = await ask(gateway, { messages, stream });
			expect(status).toBe(400);
			const [, tokens, maximum] = /^prompt is too long: (\d+) tokens > (\d+) maximum/.exec(body.error.message) ?? [];
			expect(Number(maximum)).toBe(200_000);
			expect(Number(tokens)).toBeGreaterThan(200_000);
		}
	});

	it("keeps a silent stream alive with pings, every 15 seconds", async () => {
		const clock = new ManualClock();
		const gateway = await startTestGateway({
			clock,
			emulator: {
				async *brain() {
					yield { text: "first" };
					yield { hang: true };
				},
			},
		});
		const response = await gateway.post("/v1/messages", { ...HELLO, stream: true }, { headers: HEADERS });
		const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
		let text = "";
		const readUntil = async (pattern: RegExp) => {
			while (!pattern.test(text)) text += (await reader.read()).value ?? "";
		};
		await readUntil(/first/);
		text = "";
		clock.advance(15_000);
		await readUntil(/event: ping\n/);
		expect(text).toContain('event: ping\ndata: {"type":"ping"}\n\n');
		await reader.cancel();
	});

	it("never asks it to wait for more than a minute, which would make it give up", async () => {
		const gateway = await startTestGateway({
			emulator: {
				async *brain() {
					yield {
						error: {
							code: "resource_exhausted",
							metadata: { "retry-after": "600" },
							details: { error: "ERROR_RATE_LIMITED" },
						},
					};
				},
			},
		});
		const { status, headers } = await ask(gateway);
		expect(status).toBe(429);
		expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
		expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(60);
	});
});

describe("tools that it loads when they are needed", () => {
	const SEARCH = { name: "ToolSearch", description: "Finds tools.", input_schema: { type: "object" } };
	const READ = { name: "read", description: "Reads.", input_schema: { type: "object" }, defer_loading: true };
	const PLACEHOLDER = { name: "Placeholder", input_schema: { type: "object" }, defer_loading: true };
	const TOOLS = [SEARCH, PLACEHOLDER, READ];

	/** Searches for the tool, uses it once it is there, and then says what it knows. */
	const start = async () => {
		const offered: string[][] = [];
		const gateway = await startTestGateway({
			emulator: {
				strict: true,
				async *brain({ tools, prompt }) {
					offered.push(tools.map(({ name }) => name));
					if (prompt === "and now?") yield { text: "The same." };
					else if (tools.length === 1) yield { calls: [{ name: "ToolSearch", arguments: { query: "read" } }] };
					else {
						const [result]: CallResult[] = yield { calls: [{ name: "read" }] };
						yield { text: `It says ${result!.text}` };
					}
				},
			},
		});
		return { gateway, offered };
	};
	const results = (content: { type: string; id?: string }[], result: unknown) => ({
		role: "user",
		content: content.flatMap(({ type, id }) =>
			type === "tool_use" ? [{ type: "tool_result", tool_use_id: id, content: result }] : [],
		),
	});

	it("reach the model once a search has found them, on the right rung each time", async () => {
		const { gateway, offered } = await start();
		const messages: object[] = [...HELLO.messages];
		const paths: (string | null)[] = [];
		const say = async (...more: object[]) => {
			messages.push(...more);
			const { path, body } = await ask(gateway, { messages, tools: TOOLS });
			paths.push(path);
			messages.push({ role: "assistant", content: body.content });
			return body.content;
		};
		const searched = await say();
		const called = await say(results(searched, [{ type: "tool_reference", tool_name: "read" }]));
		const said = await say(results(called, "42"));
		expect(said).toMatchObject([{ text: "It says 42" }]);
		expect(await say({ role: "user", content: "and now?" })).toMatchObject([{ text: "The same." }]);
		// A run that waits cannot be told of a new tool. Cursor's state of the conversation can be gone on from with any tools.
		expect(paths).toEqual(["new", "rebuild", "parked", "checkpoint"]);
		expect(offered).toEqual([["ToolSearch"], ["ToolSearch", "read"], ["ToolSearch", "read"]]);
	});

	it("found between two messages go on from the checkpoint", async () => {
		const gateway = await startTestGateway({
			emulator: {
				async *brain({ tools }) {
					yield { text: tools.map(({ name }) => name).join() };
				},
			},
		});
		const first = await ask(gateway, { tools: TOOLS });
		expect(first.body.content).toMatchObject([{ text: "ToolSearch" }]);
		const addition = { type: "tool_addition", tool: { type: "tool_reference", name: "read" } };
		const messages = [
			...HELLO.messages,
			{ role: "assistant", content: first.body.content },
			{ role: "user", content: "and now?" },
			{ role: "system", content: [addition] },
		];
		const second = await ask(gateway, { tools: TOOLS, messages });
		expect(second.body.content).toMatchObject([{ text: "ToolSearch,read" }]);
		expect(second.path).toBe("checkpoint");
	});
});
