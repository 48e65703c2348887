import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import type { BetaContentBlockParam, BetaMessageParam } from "@anthropic-ai/sdk/resources/beta/messages/messages";
import type {
	ContentBlockParam,
	MessageParam,
	ToolResultBlockParam,
} from "@anthropic-ai/sdk/resources/messages/messages";
import { connect } from "../../clients/anthropic.ts";
import type { Picture } from "../dialects.ts";
import type { Speaker } from "./speaker.ts";

const MAX_TOKENS = 8000;

const plain: Speaker = {
	name: "@anthropic-ai/sdk",
	async speak(setup, { system, turns, tools }) {
		const client = connect(setup);
		const messages: MessageParam[] = [];
		for (const parts of turns) {
			let news: ContentBlockParam[] = parts.map(toBlock);
			while (news.length > 0) {
				messages.push({ role: "user", content: news });
				const { content } = await client.messages.create({
					model: setup.model,
					max_tokens: MAX_TOKENS,
					system,
					messages,
					tools: tools.map(({ run: _, parameters, ...tool }) => ({ ...tool, input_schema: parameters })),
				});
				messages.push({ role: "assistant", content: content as ContentBlockParam[] });
				const results: ToolResultBlockParam[] = [];
				for (const block of content) {
					if (block.type !== "tool_use") continue;
					const result = await tools.find(({ name }) => name === block.name)!.run(block.input);
					results.push({ type: "tool_result", tool_use_id: block.id, content: result });
				}
				news = results;
			}
		}
	},
};

const toolRunner: Speaker = {
	name: "@anthropic-ai/sdk, tool runner",
	async speak(setup, { system, turns, tools }) {
		const client = connect(setup);
		let messages: BetaMessageParam[] = [];
		for (const parts of turns) {
			const content = parts.map(toBlock) as BetaContentBlockParam[];
			const runner = client.beta.messages.toolRunner({
				model: setup.model,
				max_tokens: MAX_TOKENS,
				system: [{ type: "text", text: system }],
				messages: [...messages, { role: "user", content }],
				tools: tools.map(({ parameters, ...tool }) => betaTool({ ...tool, inputSchema: parameters })),
			});
			for await (const _ of runner);
			messages = [...runner.params.messages];
		}
	},
};

function toBlock(part: string | Picture): ContentBlockParam {
	if (typeof part === "string") return { type: "text", text: part };
	const data = part.data.toString("base64");
	return { type: "image", source: { type: "base64", media_type: part.mediaType as "image/png", data } };
}

export const ANTHROPIC = [plain, toolRunner];
