import { describe, expect, it } from "vitest";
import { EXEC_KINDS } from "../src/agent/playing/exec-kinds.ts";
import type { Brain } from "../src/index.ts";
import { useEmulators } from "./kit/emulators.ts";
import { type ClientMessage, execResult, RunClient, streamClose, textResult } from "./kit/run-client.ts";

const start = useEmulators();
const TOOLS = [{ name: "first" }, { name: "second" }, { name: "third" }];

describe("client tools", () => {
	const three: Brain = async function* () {
		const results = yield { calls: TOOLS.map(({ name }, index) => ({ name, arguments: { index } })) };
		yield { text: results.map(({ text }: { text: string }) => text).join(",") };
	};

	it("asks for several at once and takes the answers in any order", async () => {
		const emulator = await start({ brain: three });
		const client = await RunClient.connect(emulator);
		const open: (() => void)[] = [];
		const outcome = await client.run({
			tools: TOOLS,
			onExec: (exec) =>
				new Promise<ClientMessage[]>((resolve) => {
					const name = exec.message.case === "mcpArgs" ? exec.message.value.name : "?";
					open.push(() => resolve(textResult(exec, name)));
					// Nothing is answered before all three are there, and then the last one first.
					if (open.length === 3) for (const answer of open.reverse()) answer();
				}),
		});
		expect(outcome.text).toBe("first,second,third");
		expect(outcome.updates.find(({ case: kind }) => kind === "toolRequestsListed")?.value).toMatchObject({
			callCount: 3,
		});
	});

	it("streams the arguments before the call, in the order of the switch", async () => {
		const kinds = async (setting: string) => {
			const emulator = await start({ brain: three, switches: [`tool-call-order=${setting}`] });
			const client = await RunClient.connect(emulator);
			const { updates } = await client.run({ tools: TOOLS, onExec: (exec) => textResult(exec, "ok") });
			return updates.flatMap(({ case: kind }) =>
				kind === "partialToolCall" || kind === "toolCallStarted" ? [kind] : [],
			);
		};
		expect((await kinds("partial-first")).slice(0, 4)).toEqual([
			"partialToolCall",
			"partialToolCall",
			"partialToolCall",
			"toolCallStarted",
		]);
		expect((await kinds("started-first")).slice(0, 2)).toEqual(["toolCallStarted", "partialToolCall"]);
		expect(await kinds("started-only")).toEqual(["toolCallStarted", "toolCallStarted", "toolCallStarted"]);
	});

	it("joins the streamed pieces to the arguments", async () => {
		const args = { path: "src/ä€😀.ts", depth: 3, deep: { list: [1, null, "x"] } };
		const emulator = await start({
			async *brain() {
				yield { calls: [{ name: "first", arguments: args }] };
			},
		});
		const client = await RunClient.connect(emulator);
		const { updates } = await client.run({ tools: TOOLS, onExec: (exec) => textResult(exec, "ok") });
		const pieces = updates.flatMap((update) => (update.case === "partialToolCall" ? [update.value.argsTextDelta] : []));
		expect(JSON.parse(Buffer.concat(pieces).toString())).toEqual(args);
	});

	it("gives OpenAI models call ids with a second id in them", async () => {
		const emulator = await start({ brain: three });
		const client = await RunClient.connect(emulator);
		const ids = async (model: string) => {
			const { execs } = await client.run({ model, tools: TOOLS, onExec: (exec) => textResult(exec, "ok") });
			return execs.flatMap(({ message }) => (message.case === "mcpArgs" ? [message.value.toolCallId] : []));
		};
		expect((await ids("gpt-5.4"))[0]).toMatch(/^call_[0-9a-f]+\nfc_[0-9a-f]+$/);
		expect((await ids("composer-1"))[0]).toMatch(/^call_[0-9a-f]+$/);
	});

	it("hands images and failures of a tool to the model", async () => {
		const emulator = await start({
			async *brain() {
				const [image, rejected, thrown] = yield { calls: TOOLS.map(({ name }) => ({ name })) };
				yield { text: JSON.stringify([image.content[0].mediaType, rejected.failure, thrown.failure, thrown.text]) };
			},
		});
		const client = await RunClient.connect(emulator);
		const outcome = await client.run({
			tools: TOOLS,
			onExec: (exec) => {
				const name = exec.message.case === "mcpArgs" ? exec.message.value.name : "";
				if (name === "third") {
					const value = { id: exec.id, error: "boom" };
					return [{ case: "execClientControlMessage", value: { message: { case: "throw", value } } }];
				}
				const image = {
					content: [{ content: { case: "image" as const, value: { data: Buffer.from("x"), mimeType: "image/gif" } } }],
				};
				return [
					execResult(exec, {
						case: "mcpResult",
						value: {
							result:
								name === "first" ? { case: "success", value: image } : { case: "rejected", value: { reason: "no" } },
						},
					}),
					streamClose(exec),
				];
			},
		});
		expect(JSON.parse(outcome.text)).toEqual(["image/gif", "rejected", "throw", "boom"]);
	});
});

describe("built-in requests", () => {
	it("reach the client in every kind the protocol has, and a throw is an answer", async () => {
		const kinds = [...EXEC_KINDS.keys()].filter((kind) => kind !== "request_context");
		expect(kinds.length).toBeGreaterThan(38);
		const emulator = await start({
			async *brain() {
				let thrown = 0;
				for (const kind of kinds) {
					const result = yield { exec: { kind } };
					if (result.thrown) thrown += 1;
				}
				yield { text: String(thrown) };
			},
		});
		const client = await RunClient.connect(emulator);
		const outcome = await client.run();
		expect(outcome.text).toBe(String(kinds.length));
		const asked = new Set(outcome.execs.map(({ message }) => message.case));
		expect(asked.size).toBe(kinds.length + 1);
	});

	it("collects the events of a streamed shell", async () => {
		const emulator = await start({
			async *brain() {
				const { stdout, exitCode } = yield { exec: { kind: "shell_stream", args: { command: "echo ä" } } };
				yield { text: `${stdout}${exitCode}` };
			},
		});
		const client = await RunClient.connect(emulator);
		const bytes = Buffer.from("ä");
		const outcome = await client.run({
			onExec: (exec) => [
				execResult(exec, { case: "shellStream", value: { event: { case: "start", value: {} } } }),
				// One character over two messages.
				execResult(exec, {
					case: "shellStream",
					value: { event: { case: "stdout", value: { data: bytes.subarray(0, 1) } } },
				}),
				execResult(exec, {
					case: "shellStream",
					value: { event: { case: "stdout", value: { data: bytes.subarray(1) } } },
				}),
				execResult(exec, { case: "shellStream", value: { event: { case: "exit", value: { code: 7 } } } }),
				streamClose(exec),
			],
		});
		expect(outcome.text).toBe("ä7");
	});

	it("asks the user and hands on the answer", async () => {
		const emulator = await start({
			async *brain() {
				const answer = yield { query: { kind: "web_search_request_query", args: { args: { searchTerm: "cats" } } } };
				yield { text: answer.value.result.case };
			},
		});
		const client = await RunClient.connect(emulator);
		const outcome = await client.run({
			onQuery: ({ id }) => [
				{
					case: "interactionResponse",
					value: {
						id,
						result: { case: "webSearchRequestResponse", value: { result: { case: "rejected", value: {} } } },
					},
				},
			],
		});
		expect(outcome.text).toBe("rejected");
	});
});

describe("what the model gets to see", () => {
	const seen: Brain = async function* (turn) {
		yield {
			text: JSON.stringify({
				tools: turn.tools.map(({ name }) => name),
				builtins: turn.builtins,
				rules: turn.rules,
				system: turn.system,
				mode: turn.mode,
			}),
		};
	};

	it("obeys the tool filter headers", async () => {
		const emulator = await start({ brain: seen });
		const client = await RunClient.connect(emulator);
		const see = async (headers: Record<string, string>) =>
			JSON.parse((await client.run({ tools: TOOLS, headers })).text);
		expect((await see({ "x-cursor-agent-allowed-tools": "mcp_tool_call" })).builtins).toEqual(["mcp_tool_call"]);
		// Known by name alone: the proto files have no message for it.
		const goals = { "x-cursor-agent-allowed-tools": "create_goal_tool_call,mcp_tool_call" };
		expect((await see(goals)).builtins).toEqual(["mcp_tool_call", "create_goal_tool_call"]);
		expect(await see({ "x-cursor-agent-allowed-tools": "__none__" })).toMatchObject({ tools: [], builtins: [] });
		const without = await see({ "x-cursor-agent-exclude-tools": "shell_tool_call" });
		expect(without.builtins).not.toContain("shell_tool_call");
		expect(without.tools).toEqual(["first", "second", "third"]);
	});

	it("reads tools and system prompts from the channels of the switches", async () => {
		const emulator = await start({ brain: seen });
		const client = await RunClient.connect(emulator);
		const requestContext = {
			cloudRule: "cloud",
			rules: [{ fullPath: "r", content: "rule" }],
			tools: [{ name: "from-context" }],
		};
		const action = {
			action: { case: "userMessageAction" as const, value: { userMessage: { text: "x" }, requestContext } },
		};
		const see = async () => JSON.parse((await client.run({ tools: TOOLS.slice(0, 1), request: { action } })).text);
		expect(await see()).toMatchObject({ tools: ["first", "from-context"], rules: ["rule", "cloud"] });
		emulator.set("tools-from=request-context");
		emulator.set("system-prompt=cloud-rule");
		expect(await see()).toMatchObject({ tools: ["from-context"], rules: ["cloud"] });
		emulator.set("tools-from=run-request");
		emulator.set("system-prompt=root");
		expect(await see()).toMatchObject({ tools: ["first"], rules: [] });
	});
});
