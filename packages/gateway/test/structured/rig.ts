// The gateway as users of the `openai` package see it, with a model that follows a script.
import type { Action, Brain, CallResult, Turn } from "cursorwire-emulator";
import OpenAI from "openai";
import type {
	ChatCompletion,
	ChatCompletionCreateParamsNonStreaming,
	ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";

type Params = Omit<ChatCompletionCreateParamsNonStreaming, "model" | "stream">;
export type ResponseFormat = NonNullable<Params["response_format"]>;

/** What the model does, perhaps by the results of its last calls. Undefined ends the run. */
export type Step = Action | ((turn: Turn, results: CallResult[]) => Action | undefined);

export interface Rig extends TestGateway {
	client: OpenAI;
	/** Every turn that a run began with. */
	turns: Turn[];
	/** Results of all calls, in order. */
	results: CallResult[];
	ask(params: Params, stream?: boolean): Promise<Asked>;
}

interface Asked {
	completion: ChatCompletion;
	text: string | null;
	finish: string;
	calls: { id: string; name: string; arguments: string }[];
	/** To be put into the history. */
	message: ChatCompletionMessageParam;
}

export const ANSWER = "respond_with_json";
export const answer = (args: object): Action => ({ calls: [{ name: ANSWER, arguments: { ...args } }] });
export const call = (name: string, args: object = {}): Action => ({ calls: [{ name, arguments: { ...args } }] });

/** One list of steps a run, in the order in which runs start. */
export async function startRig(...runs: Step[][]): Promise<Rig> {
	const turns: Turn[] = [];
	const results: CallResult[] = [];
	const brain: Brain = async function* (turn) {
		turns.push(turn);
		let last: CallResult[] = [];
		for (const step of runs[turns.length - 1] ?? []) {
			const action = typeof step === "function" ? step(turn, last) : step;
			if (!action) return;
			last = (yield action) ?? [];
			results.push(...last);
		}
	};
	const gateway = await startTestGateway({ emulator: { brain } });
	const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 });
	return { ...gateway, client, turns, results, ask: (params, stream = false) => ask(client, params, stream) };
}

async function ask(client: OpenAI, params: Params, stream: boolean): Promise<Asked> {
	const body = { model: "composer-1", ...params };
	const completion = stream
		? await client.chat.completions.stream({ ...body, stream_options: { include_usage: true } }).finalChatCompletion()
		: await client.chat.completions.create(body);
	const { message, finish_reason: finish } = completion.choices[0]!;
	const calls = (message.tool_calls ?? []).flatMap((each) =>
		each.type === "function" ? [{ id: each.id, ...each.function }] : [],
	);
	return { completion, text: message.content, finish, calls, message };
}

export const user = (content: string): ChatCompletionMessageParam => ({ role: "user", content });
export const result = (id: string, content: string): ChatCompletionMessageParam => ({
	role: "tool",
	tool_call_id: id,
	content,
});

export const tool = (name: string) => ({
	type: "function" as const,
	function: { name, description: `the tool ${name}`, parameters: { type: "object", properties: {} } },
});

export const format = (schema: Record<string, unknown>, name = "person"): ResponseFormat => ({
	type: "json_schema",
	json_schema: { name, schema, strict: true },
});

export const PERSON = {
	type: "object",
	properties: { name: { type: "string" }, age: { type: "integer", minimum: 0 } },
	required: ["name", "age"],
	additionalProperties: false,
};

/** Everything the model was told by the system, in one text. */
export const toldBySystem = (turn: Turn): string => [...turn.system, ...turn.rules].join("\n");
