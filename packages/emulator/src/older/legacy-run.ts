import { create, fromBinary, toBinary, toJson } from "@bufbuild/protobuf";
import {
	type StreamChatRequest,
	StreamChatRequest_Role,
	StreamChatRequestSchema,
	StreamChatResponseSchema,
} from "@cursorwire/protocol/aiserver";
import { refuseEmptyPool } from "../accounts/refuse-empty-pool.ts";
import type { Backend } from "../backend.ts";
import type { BidiChannel } from "../bidi/channel.ts";
import { rethrowUnlessGone } from "../bidi/client-gone.ts";
import type { Message, Turn } from "../brains/brain.ts";
import { runBrain } from "../brains/run-brain.ts";
import type { PromptFacts, SystemText } from "../prompts/prompt.ts";
import { RpcFailure } from "../rpc/failure.ts";
import { promptTokens } from "../token-usage/prompt-tokens.ts";
import { modelNamed } from "./model-named.ts";
import { UnifiedLink, type UnifiedTransport } from "./unified-link.ts";
import { UnifiedPlayer } from "./unified-player.ts";
import { conversationFacts } from "./unified-prompt.ts";

/** AiService/StreamChat: text in and text out (docs/older-protocols.md, How a request travels: Legacy). */
export async function legacyRun(channel: BidiChannel, backend: Backend): Promise<void> {
	const bytes = await channel.receive();
	const request = fromBinary(StreamChatRequestSchema, bytes ?? new Uint8Array());
	backend.log.addBody(channel.exchange, toJson(StreamChatRequestSchema, request));
	backend.stats.runs.started += 1;
	if (backend.strict && !channel.exchange.headers["x-cursor-checksum"]) {
		throw new RpcFailure("unauthenticated", "strict: header x-cursor-checksum is missing");
	}
	const account = backend.directory.byAccessToken(channel.exchange.headers.authorization);
	refuseEmptyPool(backend, account, modelNamed(request.model?.name ?? "", backend));
	const turn = buildLegacyTurn(request, channel);
	const send = (text: Uint8Array) =>
		channel.send(toBinary(StreamChatResponseSchema, create(StreamChatResponseSchema, { text })));
	const transport: UnifiedTransport = {
		headers: channel.exchange.headers,
		clientGone: channel.clientGone,
		takesToolResults: false,
		receive: async () => undefined,
		send: ({ response }) => {
			if (response.case !== "streamUnifiedChatResponse") return;
			// The protocol has no heartbeats: an empty message is the only way to show that the server is alive.
			if (response.value.text.length > 0 || response.value.statusUpdates) send(response.value.text);
		},
		ready: () => channel.ready(),
		struck: (fault) => channel.struck(fault),
		end: (failure) => channel.end(failure),
		drop: () => channel.drop(),
	};
	const link = new UnifiedLink(transport, backend);
	const player = new UnifiedPlayer(link, backend, [], backend.bills.open("legacy", promptTokens(turn)));
	try {
		const play = backend.promptLog.watch(legacyPrompt(request, turn), async (action) => {
			if (action.calls || action.exec || action.query) throw new RpcFailure("unimplemented", "StreamChat has no tools");
			return player.play(action);
		});
		await runBrain(backend.brain, turn, play);
		backend.stats.runs.ended += 1;
		channel.end();
	} catch (error) {
		rethrowUnlessGone(error, channel.clientGone);
	}
}

const ROLES: Record<number, Message["role"]> = {
	[StreamChatRequest_Role.USER]: "user",
	[StreamChatRequest_Role.ASSISTANT]: "assistant",
};

function buildLegacyTurn(request: StreamChatRequest, channel: BidiChannel): Turn {
	const messages = request.messages.flatMap(({ role, content }): Message[] => {
		const known = ROLES[role];
		return known ? [{ role: known, content: [{ type: "text", text: content }] }] : [];
	});
	const { authorization: _, ...headers } = channel.exchange.headers;
	return {
		messages,
		system: systemTexts(request).map(({ text }) => text),
		rules: [],
		tools: [],
		builtins: [],
		model: { id: request.model?.name ?? "", parameters: {}, maxMode: false },
		conversationId: request.conversationId,
		images: [],
		headers,
		resumed: false,
		action: { kind: "user_message", data: {} },
		prompt: request.messages.findLast(({ role }) => role === StreamChatRequest_Role.USER)?.content ?? "",
		mode: "chat",
		context: undefined,
		signal: channel.clientGone,
	};
}

function systemTexts({ instructions, messages }: StreamChatRequest): SystemText[] {
	const system = messages.filter(({ role }) => role === StreamChatRequest_Role.SYSTEM);
	return [
		{ channel: "instructions", text: instructions?.instruction ?? "" },
		...system.map(({ content }) => ({ channel: "system_messages", text: content })),
	].filter(({ text }) => text !== "");
}

function legacyPrompt(request: StreamChatRequest, turn: Turn): PromptFacts {
	const { projectPath, summary } = request;
	return {
		...conversationFacts(turn),
		protocol: "legacy",
		rpc: "StreamChat",
		system: systemTexts(request),
		tools: [],
		context: {
			...(projectPath && { "request.projectPath": projectPath }),
			...(summary && { "request.summary": summary }),
		},
	};
}
