import type { Brain } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { OLDER_WAYS, type OlderWay } from "../behaviour/older-protocols.ts";
import { chatClient } from "../kit/dialects/chat-client.ts";
import { askIn } from "../kit/dialects/dialect-client.ts";
import { startTestGateway } from "../kit/gateway.ts";
import { LeapingClock } from "../kit/leaping-clock.ts";
import { result, tool, user } from "../kit/upstream.ts";

const WAYS = Object.keys(OLDER_WAYS) as OlderWay[];
const TOOLS = [tool("look")];

const looks: Brain = async function* () {
	const [found] = yield { calls: [{ name: "look", arguments: { at: "a" } }] };
	yield { text: found.text };
};

const slowly: Brain = async function* (turn) {
	for (const word of turn.prompt.split(" ")) {
		yield { text: `${word} ` };
		yield { delay: 10 };
	}
};

describe.each(WAYS)("%s in grpc-web", (way) => {
	it.each([0, Number.POSITIVE_INFINITY])("streams text, messages compressed from %s bytes on", async (gzipFrom) => {
		const gateway = await startTestGateway({
			emulator: { brain: "echo", gzipFrom },
			settings: { ...OLDER_WAYS[way].settings, chatFraming: "grpc-web" },
		});
		const response = await askIn(chatClient, gateway, { messages: [user("ä b 😀")] });
		expect(response).toMatchObject({ text: "ä b 😀", error: undefined });
		const types = gateway.emulator
			.requests()
			.flatMap(({ path, headers }) => (/Chat/.test(path) ? [headers["content-type"]] : []));
		expect(types).toEqual(["application/grpc-web+proto"]);
	});

	it("a stream without trailers is cut, and no answer", async () => {
		const gateway = await startTestGateway({
			emulator: { brain: "echo", faults: ["no-end-stream@end*1"] },
			settings: { ...OLDER_WAYS[way].settings, chatFraming: "grpc-web", unifiedStream: "auto" },
		});
		const { error } = await askIn(chatClient, gateway, { messages: [user("a b c")] });
		expect(error?.kind).toBe("upstream-reset");
	});
});

describe.each(WAYS.filter((way) => way !== "legacy"))("%s", (way) => {
	it("hands intermediate text on as thinking", async () => {
		const thinks: Brain = async function* () {
			yield { thinking: "hm, " };
			yield { thinking: "well" };
			yield { text: "yes" };
		};
		const gateway = await startTestGateway({
			emulator: { brain: thinks, switches: ["chat-thinking=intermediate-text"] },
			settings: OLDER_WAYS[way].settings,
		});
		const response = await askIn(chatClient, gateway, { messages: [user("x")] });
		expect(response).toMatchObject({ text: "yes", thinking: "hm, well" });
	});
});

describe("calls of the unified chat", () => {
	it("are taken from what is shown, where nothing else comes", async () => {
		const gateway = await startTestGateway({
			emulator: { brain: looks, switches: ["chat-tool-calls=shown-only"] },
			settings: { protocol: "unified" },
		});
		const first = await askIn(chatClient, gateway, { messages: [user("x")], tools: TOOLS });
		expect(first.calls).toMatchObject([{ name: "look", arguments: '{"at":"a"}' }]);
		const second = await askIn(chatClient, gateway, {
			messages: [
				user("x"),
				{ role: "assistant", content: first.calls.map((call) => ({ type: "tool-call" as const, ...call })) },
				{ role: "tool", content: first.calls.map(({ id }) => result(id, "found")) },
			],
			tools: TOOLS,
		});
		expect(second.text).toBe("found");
		expect(gateway.emulator.stats().runs).toMatchObject({ started: 1, ended: 1 });
	});

	it.each(["connect", "grpc-web"])(
		"wait for their results on the same stream, however long, in %s",
		async (chatFraming) => {
			const clock = new LeapingClock();
			const gateway = await startTestGateway({
				emulator: { brain: looks },
				settings: { protocol: "unified", chatFraming },
				limits: { silenceMs: 2000, heartbeatsOnlyMs: 2000 },
				clock,
			});
			const first = await askIn(chatClient, gateway, { messages: [user("x")], tools: TOOLS });
			clock.leap(10_000);
			const second = await askIn(chatClient, gateway, {
				messages: [
					user("x"),
					{ role: "assistant", content: first.turn.content },
					{ role: "tool", content: [result(first.calls[0]!.id, "late")] },
				],
				tools: TOOLS,
			});
			expect(second).toMatchObject({ text: "late", error: undefined });
			expect(gateway.emulator.stats().runs).toMatchObject({ started: 1, resumedByToolResult: 1 });
		},
	);

	it("whose stream is lost while the client works are rebuilt from the history", async () => {
		const gateway = await startTestGateway({
			emulator: {
				async *brain(turn) {
					if (turn.resumed) yield { text: "rebuilt" };
					else yield* looks(turn);
				},
			},
			settings: { protocol: "unified" },
		});
		const first = await askIn(chatClient, gateway, { messages: [user("x")], tools: TOOLS });
		const other = await askIn(chatClient, gateway, {
			messages: [
				user("x"),
				{ role: "assistant", content: first.turn.content },
				{ role: "tool", content: [result(first.calls[0]!.id, "42")] },
			],
			tools: [...TOOLS, tool("another")],
		});
		expect([other.text, other.headers?.get("x-cursorwire-path")]).toEqual(["rebuilt", "rebuild"]);
	});
});

describe("an idempotent stream that the server does not keep", () => {
	it("is not taken up again: a cut is told as one", async () => {
		const gateway = await startTestGateway({
			emulator: { brain: slowly, switches: ["idempotent-stream=degraded"], faults: ["cut@frame:8*1"] },
			settings: { protocol: "unified", unifiedStream: "idempotent" },
		});
		const { error } = await askIn(chatClient, gateway, { messages: [user("a b c d e f")] });
		expect(error?.kind).toBe("upstream-reset");
	});
});

describe("the plain unified chat", () => {
	it("refuses tools before anything is sent", async () => {
		const gateway = await startTestGateway({ settings: { protocol: "unified", unifiedStream: "plain" } });
		const response = await gateway.post(
			"/v1/chat/completions",
			chatClient.body({ messages: [user("x")], tools: TOOLS }),
		);
		const { error } = (await response.json()) as { error: { message: string; param: string } };
		expect([response.status, error.param]).toEqual([400, "tools"]);
		expect(error.message).toContain("unifiedStream");
		expect(gateway.emulator.stats().streams.opened).toBe(0);
	});
});
