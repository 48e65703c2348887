// Parts of a message reach the model as parts, or at least apart from one another.
import type { Brain } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { startTestGateway } from "../kit/gateway.ts";

const PARTS = ["one", "two"].map((text) => ({ type: "text", text }));

/** Tells every message with the texts of its parts. */
const tell: Brain = async function* (turn) {
	const texts = turn.messages.map(({ role, content }) => [
		role,
		...content.flatMap((part) => {
			if (part.type === "text") return [part.text];
			return part.type === "tool-result" ? [part.result] : [];
		}),
	]);
	yield { text: JSON.stringify(texts) };
};

interface Message {
	content: string;
	tool_calls?: { id: string }[];
}

async function messageOf(response: Response): Promise<Message> {
	const json = (await response.json()) as { choices?: { message: Message }[] };
	const message = json.choices?.[0]?.message;
	if (!message) throw new Error(JSON.stringify(json));
	return message;
}

async function see(
	protocol: "agent" | "unified" | "legacy",
	messages: object[],
	more: object = {},
): Promise<unknown[]> {
	const gateway = await startTestGateway({ emulator: { brain: tell }, settings: { protocol } });
	const response = await gateway.post("/v1/chat/completions", { model: "gpt-5.4", messages, ...more });
	return JSON.parse((await messageOf(response)).content);
}

const call = { id: "call_1", type: "function", function: { name: "read", arguments: "{}" } };
const tools = [{ type: "function", function: { name: "read", parameters: { type: "object" } } }];
const user = { role: "user", content: PARTS };
const said = { role: "assistant", content: PARTS };

describe("two parts", () => {
	it.each(["agent", "unified", "legacy"] as const)("of the newest message are apart, %s", async (protocol) => {
		expect(await see(protocol, [user])).toEqual([["user", "one\n\ntwo"]]);
	});

	it("of earlier messages are parts", async () => {
		expect(await see("agent", [user, said, user])).toEqual([
			["user", "one", "two"],
			["assistant", "one", "two"],
			["user", "one\n\ntwo"],
		]);
	});

	it.each(["unified", "legacy"] as const)("of earlier messages are apart, %s", async (protocol) => {
		expect(await see(protocol, [user, said, user])).toEqual([
			["user", "one\n\ntwo"],
			["assistant", "one\n\ntwo"],
			["user", "one\n\ntwo"],
		]);
	});

	it.each(["agent", "unified"] as const)("of a result in the history are apart, %s", async (protocol) => {
		const history = [
			{ role: "user", content: "?" },
			{ role: "assistant", tool_calls: [call] },
			{ role: "tool", tool_call_id: "call_1", content: PARTS },
		];
		const seen = await see(protocol, history, { tools });
		expect(seen.find((message) => (message as string[])[0] === "tool")).toEqual(["tool", "one\n\ntwo"]);
	});

	it.each([
		["agent", ["one", "two"]],
		["unified", ["one\n\ntwo"]],
	] as const)("of a result that a run waits for, %s", async (protocol, expected) => {
		const gateway = await startTestGateway({
			settings: { protocol },
			emulator: {
				async *brain() {
					const [result] = yield { calls: [{ name: "read", arguments: {} }] };
					yield { text: JSON.stringify(result.content) };
				},
			},
		});
		const ask = async (messages: object[]) => {
			const response = await gateway.post("/v1/chat/completions", { model: "gpt-5.4", messages, tools });
			return messageOf(response);
		};
		const question = { role: "user", content: "?" };
		const asked = await ask([question]);
		const result = { role: "tool", tool_call_id: asked.tool_calls![0]!.id, content: PARTS };
		const { content } = await ask([question, asked, result]);
		expect(JSON.parse(content)).toEqual(expected.map((text) => ({ type: "text", text })));
	});
});
