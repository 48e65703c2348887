import type { ChatCompletionContentPart, ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type {
	ResponseCreateParamsNonStreaming,
	ResponseInput,
	ResponseInputContent,
	ResponseInputItem,
} from "openai/resources/responses/responses";
import { connect } from "../../clients/openai-sdk.ts";
import type { Picture } from "../dialects.ts";
import { dataUrl, type Speaker, type Speech } from "./speaker.ts";

const chatSpeaker: Speaker = {
	name: "openai, Chat Completions",
	async speak(setup, { system, turns, tools }) {
		const { completions } = connect(setup).chat;
		let messages: ChatCompletionMessageParam[] = [{ role: "system", content: system }];
		for (const parts of turns) {
			messages = [...messages, { role: "user", content: parts.map(chatPart) }];
			if (tools.length === 0) {
				const { choices } = await completions.create({ model: setup.model, messages });
				messages.push(choices[0]!.message);
				continue;
			}
			const runner = completions.runTools({
				model: setup.model,
				messages,
				tools: tools.map(({ run, ...tool }) => ({
					type: "function",
					function: { ...tool, parse: JSON.parse, function: run },
				})),
			});
			await runner.done();
			messages = runner.messages;
		}
	},
};

function chatPart(part: string | Picture): ChatCompletionContentPart {
	return typeof part === "string"
		? { type: "text", text: part }
		: { type: "image_url", image_url: { url: dataUrl(part) } };
}

/** Conversations that the gateway keeps, or that every request brings as a whole. */
function responsesSpeaker(name: string, isKept: boolean): Speaker {
	return {
		name,
		async speak(setup, { system, turns, tools }) {
			const { responses } = connect(setup);
			let previous: string | undefined;
			let before: ResponseInput = [];
			for (const parts of turns) {
				let news: ResponseInput = [{ role: "user", content: parts.map(responsesPart) }];
				while (news.length > 0) {
					const request: ResponseCreateParamsNonStreaming = {
						model: setup.model,
						instructions: system,
						store: isKept,
						input: isKept ? news : [...before, ...news],
						tools: tools.map(({ run: _, ...tool }) => ({ type: "function", ...tool, strict: false })),
						...(previous && { previous_response_id: previous }),
					};
					const { id, output } = await responses.create(request);
					if (isKept) previous = id;
					else before = [...before, ...news, ...(output as ResponseInputItem[])];
					news = await outputsOf(output as ResponseInputItem[], tools);
				}
			}
		},
	};
}

async function outputsOf(items: ResponseInputItem[], tools: Speech["tools"]): Promise<ResponseInput> {
	const outputs: ResponseInput = [];
	for (const item of items) {
		if (item.type !== "function_call") continue;
		const output = await tools.find(({ name }) => name === item.name)!.run(JSON.parse(item.arguments));
		outputs.push({ type: "function_call_output", call_id: item.call_id, output });
	}
	return outputs;
}

function responsesPart(part: string | Picture): ResponseInputContent {
	return typeof part === "string"
		? { type: "input_text", text: part }
		: { type: "input_image", image_url: dataUrl(part), detail: "auto" };
}

export const OPENAI = [
	chatSpeaker,
	responsesSpeaker("openai, Responses that are kept", true),
	responsesSpeaker("openai, Responses that are not", false),
];
