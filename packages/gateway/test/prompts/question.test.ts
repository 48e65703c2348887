// What the user asks is what the model is asked, whatever a client says behind it in its own name.
import type { Brain } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";

const NOTE = "# Environment\nA folder.";
const MARKED = `<system-reminder>\n${NOTE}\n</system-reminder>`;

/** Tells the newest message, and how many there were before it. */
const tell: Brain = async function* (turn) {
	yield { text: JSON.stringify({ prompt: turn.prompt, before: turn.messages.length - 1 }) };
};

interface Item {
	role: string;
	content: unknown;
}

/** As much of the three answers as is looked at. */
interface Json {
	choices: { message: { content: string } }[];
	content: { text: string }[];
	output: { content: { text: string }[] }[];
}

interface Told {
	seen: { prompt: string; before: number };
	path: string | null;
	answer: Item;
}

async function post(gateway: TestGateway, path: string, body: object, textOf: (json: Json) => string): Promise<Told> {
	const response = await gateway.post(path, { model: "auto", ...body });
	const json = (await response.json()) as Json;
	if (!response.ok) throw new Error(JSON.stringify(json));
	const content = textOf(json);
	return {
		seen: JSON.parse(content),
		path: response.headers.get("x-cursorwire-path"),
		answer: { role: "assistant", content },
	};
}

const DIALECTS = {
	Chat: (gateway: TestGateway, messages: Item[]) =>
		post(gateway, "/v1/chat/completions", { messages }, ({ choices }) => choices[0]!.message.content),
	Messages: (gateway: TestGateway, messages: Item[]) =>
		post(gateway, "/v1/messages", { max_tokens: 1000, messages }, ({ content }) => content.at(-1)!.text),
	Responses: (gateway: TestGateway, input: Item[]) =>
		post(gateway, "/v1/responses", { input }, ({ output }) => output.at(-1)!.content[0]!.text),
};

const CASES = [
	["Chat", "system"],
	["Chat", "developer"],
	["Messages", "system"],
	["Responses", "system"],
	["Responses", "developer"],
] as const;

describe.each(CASES)("%s, with a %s message behind the question", (dialect, role) => {
	const ask = DIALECTS[dialect];
	const question = { role: "user", content: "Say hello" };
	const note = { role, content: NOTE };

	it("asks the question, and the model reads the reminder behind it", async () => {
		const gateway = await startTestGateway({ emulator: { brain: tell } });
		const { seen } = await ask(gateway, [question, note]);
		expect(seen).toEqual({ prompt: `Say hello\n\n${MARKED}`, before: 0 });
	});

	it.each([
		["stays in the history", (answer: Item, next: Item) => [question, note, answer, next]],
		["comes again with the next question", (answer: Item, next: Item) => [question, note, answer, next, note]],
		["stands in front of the next question", (answer: Item, next: Item) => [question, note, answer, note, next]],
	])("is the same conversation when the reminder %s", async (_how, history) => {
		const gateway = await startTestGateway({ emulator: { brain: tell } });
		const { answer } = await ask(gateway, [question, note]);
		const { seen, path } = await ask(gateway, history(answer, { role: "user", content: "And now goodbye" }));
		expect(path).toBe("checkpoint");
		expect(seen.prompt.replace(MARKED, "").trim()).toBe("And now goodbye");
		expect(seen.before).toBe(2);
	});
});

describe("reminders beside results", () => {
	const call = { type: "tool_use", id: "toolu_1", name: "read", input: {} };
	const result = { type: "tool_result", tool_use_id: "toolu_1", content: "one" };
	const history = (...beside: object[]): Item[] => [
		{ role: "user", content: "Read it." },
		{ role: "assistant", content: [call] },
		{ role: "user", content: [result, ...beside] },
	];

	/** Tells the newest message of a rebuilt conversation. */
	const newest: Brain = async function* (turn) {
		yield { text: JSON.stringify(turn.messages.at(-1)) };
	};

	async function see(messages: Item[]) {
		const gateway = await startTestGateway({ emulator: { brain: newest } });
		const { seen } = await DIALECTS.Messages(gateway, messages);
		return seen as unknown as { role: string; content: { text?: string; result?: string }[] };
	}

	it("are read with them, and are nothing to answer", async () => {
		for (const messages of [
			history({ type: "text", text: MARKED }),
			[...history(), { role: "system", content: NOTE }],
		]) {
			const { role, content } = await see(messages);
			expect([role, content[0]?.result]).toEqual(["tool", `one\n\n${MARKED}`]);
		}
	});

	it("leave the user's own words a message", async () => {
		const { role, content } = await see(history({ type: "text", text: "Stop." }));
		expect([role, content[0]?.text]).toEqual(["user", "Stop."]);
	});
});
