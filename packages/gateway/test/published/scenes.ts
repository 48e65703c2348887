// What may come of a request, played by the emulator.
import type { Brain } from "cursorwire-emulator";
import { readSse } from "../kit/dialects/sse.ts";
import { startTestGateway } from "../kit/gateway.ts";

export interface Scene {
	name: string;
	brain: Brain;
	/** Whether the request offers the tool `look`. */
	tools?: true;
	maxTokens?: number;
	/** The answer breaks after it has begun. */
	breaks?: true;
}

const calling: Brain = async function* () {
	yield { text: "Let me see. " };
	yield {
		calls: [
			{ name: "look", arguments: { at: "a.txt" } },
			{ name: "look", arguments: { at: "b.txt" } },
		],
	};
};

export const SCENES: Scene[] = [
	{ name: "text", brain: saying({ text: "Hello " }, { text: "world" }) },
	{
		name: "thinking",
		brain: saying(
			{ thinking: "Hm. " },
			{ thinking: "Well." },
			{ text: "Yes." },
			{ usage: { inputTokens: 100, outputTokens: 20, cacheReadTokens: 30, reasoningTokens: 5 } },
		),
	},
	{ name: "calls", brain: calling, tools: true },
	{ name: "an end by the limit", brain: saying({ text: "one two three four five six seven eight" }), maxTokens: 3 },
	{ name: "a failure midway", brain: saying({ text: "half an " }, { delay: 30 }, { drop: true }), breaks: true },
];

function saying(...actions: object[]): Brain {
	return async function* () {
		for (const action of actions) yield action as never;
	};
}

export const TOOL = {
	name: "look",
	description: "Looks at a file.",
	schema: { type: "object", properties: { at: { type: "string" } }, required: ["at"] },
};

export interface Reply {
	status: number;
	/** The body that is not a stream. */
	// biome-ignore lint/suspicious/noExplicitAny: it is looked at to be checked
	body: any;
	/** The data of each event of a stream, `[DONE]` left out. */
	// biome-ignore lint/suspicious/noExplicitAny: they are looked at to be checked
	events: any[];
}

/** Sends one request to a gateway whose model plays the scene. */
export async function play(brain: Brain, path: string, body: object): Promise<Reply> {
	const gateway = await startTestGateway({ emulator: { brain } });
	const response = await gateway.post(path, body);
	const text = await response.text();
	if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
		return { status: response.status, body: JSON.parse(text), events: [] };
	}
	const data = readSse(text).map((event) => event.data);
	const events = data.filter((value) => value !== "[DONE]").map((value) => JSON.parse(value));
	return { status: response.status, body: undefined, events };
}
