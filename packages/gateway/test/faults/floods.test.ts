import { describe, expect, it } from "vitest";
import { until } from "../kit/cleanup.ts";
import { chatClient } from "../kit/dialects/chat-client.ts";
import { askIn } from "../kit/dialects/dialect-client.ts";
import { messagesClient } from "../kit/dialects/messages-client.ts";
import { responsesClient } from "../kit/dialects/responses-client.ts";
import { startTestGateway } from "../kit/gateway.ts";
import { result, tool, user } from "../kit/upstream.ts";

const CLIENTS = [chatClient, messagesClient, responsesClient].map((client) => [client.name, client] as const);

describe.each(CLIENTS)("U23: an upstream that floods, %s", (_name, client) => {
	it.each([false, true])("100,000 tiny events all arrive (HTTP/1.1: %s)", async (http1) => {
		const gateway = await startTestGateway({
			emulator: { brain: "echo", faults: ["flood=100000@frame:3*1"] },
			settings: { http1 },
		});
		const response = await askIn(client, gateway, { messages: [user("a b")] });
		expect(response.error).toBeUndefined();
		expect(response.text.replaceAll(".", "")).toBe("a b");
		expect(response.text.length).toBe(100_003);
	});

	it.each(["text", "thinking"] as const)(
		"endless %s ends in a typed error, and the upstream hears of it",
		async (part) => {
			const gateway = await startTestGateway({
				emulator: {
					async *brain() {
						for (;;) yield { [part]: "x".repeat(10_000) };
					},
				},
				settings: { maxAnswerMiB: 1 },
			});
			const response = await askIn(client, gateway, {
				messages: [user("go on")],
				limits: { stop: [], maxOutputTokens: 100_000_000 },
			});
			expect(response.error?.kind).toBe("answer-too-large");
			expect(response.error?.fullMessage).toContain("maxAnswerMiB");
			expect(response.turn.end).toBeUndefined();
			await until(() => gateway.emulator.stats().exchanges.open === 0);
			expect(gateway.gateway.upstream()).toMatchObject({ runs: 0, http2: { openStreams: 0 } });
		},
	);
});

it("U23: an endless answer that is not streamed ends in the same error", async () => {
	const gateway = await startTestGateway({
		emulator: {
			async *brain() {
				for (;;) yield { text: "x".repeat(10_000) };
			},
		},
		settings: { maxAnswerMiB: 1 },
	});
	const body = { model: "composer-1", messages: [{ role: "user", content: "go on" }] };
	const response = await gateway.post("/v1/chat/completions", body);
	expect(response.status).toBe(502);
	expect(await response.json()).toMatchObject({ error: { code: "answer_too_large" } });
	await until(() => gateway.emulator.stats().exchanges.open === 0);
});

it("a run that is flooded while its tool works is lost, and the next request goes on from the history", async () => {
	const gateway = await startTestGateway({
		emulator: {
			heartbeatMs: 10,
			async *brain(turn) {
				const last = turn.messages.at(-1)?.content.find((part) => part.type === "tool-result");
				if (last?.type === "tool-result") yield { text: `rebuilt with ${last.result}` };
				else yield { calls: [{ name: "look" }] };
			},
		},
		// Heartbeats are all that comes, and at this limit they are too much.
		limits: { parkedBytes: 1_000 },
	});
	const tools = [tool("look")];
	const first = await askIn(chatClient, gateway, { messages: [user("look")], tools });
	expect(first.turn.end?.reason).toBe("tool-calls");
	await until(() => gateway.gateway.parkedRuns() === 0 && gateway.emulator.stats().exchanges.open === 0);
	const second = await askIn(chatClient, gateway, {
		messages: [
			user("look"),
			{ role: "assistant", content: first.turn.content },
			{ role: "tool", content: [result(first.calls[0]!.id, "42")] },
		],
		tools,
	});
	expect(second).toMatchObject({ text: "rebuilt with 42", error: undefined });
	expect(second.headers?.get("x-cursorwire-path")).toBe("rebuild");
});
