import { randomUUID } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { Code, createClient } from "@connectrpc/connect";
import type { InteractionUpdate } from "@cursorwire/protocol/agent";
import {
	ChatService,
	ClientSideToolV2,
	ConversationMessage_MessageType as MessageType,
	ServerConfigService,
	StreamUnifiedChatRequestWithToolsIdempotentSchema,
	StreamUnifiedChatRequestWithToolsSchema,
} from "@cursorwire/protocol/aiserver";
import type { Brain, Emulator, EmulatorOptions } from "../../src/index.ts";
import type { SwitchName } from "../../src/switches.ts";
import { callOver } from "./call-over.ts";
import { RunClient, type RunOptions, textResult } from "./run-client.ts";

/** How to see a switch: an emulator, and what a client notices of it on the wire. */
export interface SwitchProbe {
	options?: EmulatorOptions;
	look(client: RunClient, emulator: Emulator): Promise<unknown>;
}

const SILENCE_MS = 2_000;
const TOOLS = [{ name: "t" }];

/** Leaves when nothing has been heard for a while. */
function untilSilence(): { signal: AbortSignal; heard(): void } {
	const controller = new AbortController();
	const timer = setTimeout(() => controller.abort(), SILENCE_MS).unref();
	return { signal: controller.signal, heard: () => timer.refresh() };
}

/** How a run ends, where silence is an end as well. */
function endOf(client: RunClient, options: RunOptions): Promise<string> {
	const { signal, heard } = untilSilence();
	return outcomeOf(client.run({ ...options, signal, onUpdate: heard }));
}

/** Says what the model reads, so that it can be seen on the wire. */
const mirror: Brain = async function* (turn) {
	const { system, rules, tools } = turn;
	yield { text: JSON.stringify({ system, rules, tools: tools.map(({ name }) => name) }) };
};

const readsAll: Brain = async function* ({ messages }) {
	yield { text: JSON.stringify(messages) };
};

const SMALL_WINDOW: EmulatorOptions["accounts"] = {
	accounts: [{ id: "user_1", acceptAnyKey: true }],
	models: [{ id: "composer-1", displayName: "Composer 1", vendor: "cursor", pool: "auto", contextTokens: 200 }],
};

const historyText = (text: string) => ({ content: { case: "text" as const, value: { text } } });

const callsOnce: Brain = async function* () {
	yield { thinking: "hm" };
	yield { text: "I look." };
	yield { calls: [{ name: "t", arguments: { a: 1 } }] };
	yield { text: "after" };
};

const outcomeOf = (run: Promise<unknown>) =>
	run.then(
		() => "fine",
		(error) => Code[error.code] ?? String(error),
	);

async function textOf(client: RunClient, options: RunOptions): Promise<string> {
	return (await client.run(options)).text;
}

/** The order of all that is told, as names. */
async function orderOf(client: RunClient, options: RunOptions = {}): Promise<string[]> {
	const order: string[] = [];
	await client.run({
		tools: TOOLS,
		onExec: (exec) => textResult(exec, "r"),
		...options,
		onUpdate: ({ case: kind }: InteractionUpdate["message"]) => order.push(kind ?? "unknown"),
		onCheckpoint: () => order.push("checkpoint"),
	});
	return order;
}

const withContext = (requestContext: object, text = "x") => ({
	action: { case: "userMessageAction" as const, value: { userMessage: { text }, requestContext } },
});

const modelRun = (client: RunClient, modelId: string, parameters: Record<string, string> = {}, maxMode = false) =>
	outcomeOf(
		client.run({
			request: {
				requestedModel: {
					modelId,
					maxMode,
					parameters: Object.entries(parameters).map(([id, value]) => ({ id, value })),
				},
			},
		}),
	);

async function refreshAnswers(emulator: Emulator): Promise<boolean[]> {
	const call = async (path: string, body: object, headers: Record<string, string> = {}) =>
		JSON.parse((await callOver(emulator, "POST", path, body, headers)).body);
	const { refreshToken } = await call("/auth/exchange_user_api_key", {}, { authorization: "Bearer key" });
	const bearer = { authorization: `Bearer ${refreshToken}` };
	const oauth = {
		grant_type: "refresh_token",
		client_id: "KbZUR41cY7W6zRSdpSUJ7I7mLYBKOCmB",
		refresh_token: refreshToken,
	};
	const answers = [
		await call("/auth/exchange_user_api_key", {}, bearer),
		await call("/auth/refresh", {}, bearer),
		await call("/auth/token", { refreshToken }),
		await call("/oauth/token", oauth),
	];
	return answers.map(({ accessToken, access_token }) => Boolean(accessToken || access_token));
}

/** What an older chat tells of one call, kind by kind. */
async function chatKinds(client: RunClient): Promise<unknown[]> {
	const request = {
		conversation: [{ text: "look", type: MessageType.HUMAN, bubbleId: "b1" }],
		modelDetails: { modelName: "claude-4.6-sonnet" },
		mcpTools: [{ name: "t", description: "", parameters: '{"type":"object"}', serverName: "client" }],
		supportedTools: [ClientSideToolV2.MCP],
		isAgentic: true,
	};
	const { signal, heard } = untilSilence();
	const call = { headers: client.headers(), signal };
	const kinds: unknown[] = [];
	async function* sending() {
		yield create(StreamUnifiedChatRequestWithToolsSchema, {
			request: { case: "streamUnifiedChatRequest", value: request },
		});
		await new Promise(() => {});
	}
	const chat = createClient(ChatService, client.transport);
	try {
		for await (const { response } of chat.streamUnifiedChatWithTools(sending(), call)) {
			heard();
			if (response.case === "clientSideToolV2Call") kinds.push(`call, in pieces: ${response.value.isStreaming}`);
			else if (response.case === "streamUnifiedChatResponse") {
				kinds.push(
					Object.entries(response.value).flatMap(([name, value]) => (isSet(value) && name[0] !== "$" ? [name] : [])),
				);
			}
		}
	} catch (error) {
		const { code, rawMessage, details } = error as { code: Code; rawMessage: string; details: unknown };
		kinds.push(code === Code.Canceled || code === Code.DeadlineExceeded ? "silence" : [rawMessage, code, details]);
	}
	return kinds;
}

function isSet(value: unknown): boolean {
	if (value instanceof Uint8Array || Array.isArray(value)) return value.length > 0;
	return Boolean(value) && !(typeof value === "object" && Object.keys(value as object).length === 0);
}

async function idempotentWelcome(client: RunClient): Promise<unknown> {
	async function* sending() {
		yield create(StreamUnifiedChatRequestWithToolsIdempotentSchema, { request: { case: "abort", value: {} } });
	}
	const headers = client.headers({ "x-idempotency-key": randomUUID() });
	const chat = createClient(ChatService, client.transport);
	for await (const { response } of chat.streamUnifiedChatWithToolsIdempotent(sending(), { headers })) {
		if (response.case === "welcomeMessage") return response.value.isDegradedMode;
	}
	return undefined;
}

/** Every switch has its probe here: a client must be able to tell each of its values from the others. */
export const SWITCH_PROBES: Record<SwitchName, SwitchProbe> = {
	"system-prompt": {
		options: { brain: mirror },
		async look(client) {
			const root = client.keep(Buffer.from('{"role":"system","content":"root"}'));
			const context = { rules: [{ fullPath: "r", content: "rule" }], cloudRule: "cloud" };
			const state = { rootPromptMessagesJson: [root] } as never;
			return textOf(client, { state, request: { action: { action: withContext(context).action } } });
		},
	},
	"tools-from": {
		options: { brain: mirror },
		look: (client) =>
			textOf(client, {
				request: {
					mcpTools: { mcpTools: [{ name: "in_request" }] },
					action: { action: withContext({ tools: [{ name: "in_context" }] }).action },
				},
			}),
	},
	"tools-twice": {
		look: (client) => endOf(client, { tools: TOOLS }),
	},
	"request-context": {
		async look(client) {
			const asked = async (options: RunOptions) =>
				(await client.run(options)).execs.some(({ message }) => message.case === "requestContextArgs");
			return [await asked({}), await asked({ request: { action: { action: withContext({}).action } } })];
		},
	},
	"privacy-host": {
		options: { agentHosts: true },
		async look(_client, emulator) {
			const { agent, agentn } = emulator.agentUrls;
			const at = async (url: string) => outcomeOf((await RunClient.connect({ ...emulator, url })).run());
			return [await at(agent), await at(agentn)];
		},
	},
	refresh: { look: (_client, emulator) => refreshAnswers(emulator) },
	"checkpoint-users": {
		async look(client) {
			const { checkpoints } = await client.run({ prompt: "first" });
			const second = await client.run({ prompt: "second", state: checkpoints.at(-1) });
			const roots = second.checkpoints.at(-1)!.rootPromptMessagesJson;
			return roots.map((id) => Buffer.from(client.blobs.get(Buffer.from(id).toString("hex"))!).toString());
		},
	},
	"model-form": {
		look: async (client) => [
			await modelRun(client, "gpt-5.4-high"),
			await modelRun(client, "gpt-5.4", { reasoning: "high" }),
		],
	},
	"wrong-model-form": {
		options: { switches: ["model-form=parameters"] },
		look: (client) => modelRun(client, "gpt-5.4-high"),
	},
	"max-mode": { look: (client) => modelRun(client, "claude-4.6-opus", { context: "1m" }) },
	"unknown-query-answer": {
		options: { faults: ["unknown-query@frame:2"] },
		look: (client) => endOf(client, { onQuery: ({ id }) => [{ case: "interactionResponse", value: { id } }] }),
	},
	"sse-after-tool": {
		options: { brain: callsOnce },
		look: (client) => endOf(client, { carrier: "RunSSE", tools: TOOLS, onExec: (exec) => textResult(exec, "r") }),
	},
	"exclude-workspace-context": {
		look: (client) => outcomeOf(client.run({ request: { excludeWorkspaceContext: true } })),
	},
	"tool-call-order": {
		options: { brain: callsOnce },
		look: async (client) => (await orderOf(client)).filter((kind) => /^(partial|toolCallStarted)/.test(kind)),
	},
	"tool-requests-listed": {
		options: { brain: callsOnce },
		look: async (client) => (await orderOf(client)).includes("toolRequestsListed"),
	},
	"last-checkpoint": {
		look: async (client) => (await orderOf(client)).filter((kind) => kind === "checkpoint" || kind === "turnEnded"),
	},
	usage: {
		options: { brain: callsOnce },
		async look(client) {
			const { updates, checkpoints, usage } = await client.run({
				tools: TOOLS,
				onExec: (exec) => textResult(exec, "r"),
			});
			const deltas = updates.filter(({ case: kind }) => kind === "tokenDelta").length;
			return [deltas, checkpoints.at(-1)!.tokenDetails!.usedTokens > 0, usage!.output > 0];
		},
	},
	"http2-config": {
		async look(client) {
			const config = createClient(ServerConfigService, client.transport);
			return (await config.getServerConfig({}, { headers: client.headers() })).http2Config;
		},
	},
	"agent-service": { look: (client) => outcomeOf(client.run()) },
	"chat-service": { options: { brain: callsOnce }, look: chatKinds },
	"chat-arguments": { options: { brain: callsOnce }, look: chatKinds },
	"chat-tool-calls": { options: { brain: callsOnce }, look: chatKinds },
	"chat-thinking": { options: { brain: callsOnce }, look: chatKinds },
	"idempotent-stream": { look: idempotentWelcome },
	"enveloped-unary": {
		async look(client, emulator) {
			const headers = { ...client.headers(), "content-type": "application/proto" };
			return (await callOver(emulator, "POST", "/agent.v1.AgentService/GetUsableModels", "", headers)).body;
		},
	},
	"client-version": { look: (client) => outcomeOf(client.run()) },
	"post-poll": {
		async look(_client, emulator) {
			return (await callOver(emulator, "POST", "/auth/poll", { uuid: "u", verifier: "v" })).body;
		},
	},
	"conversation-history": {
		options: { brain: readsAll },
		async look(client) {
			const message = { message: { case: "user" as const, value: { content: [historyText("typed history")] } } };
			const value = { userMessage: { text: "newest" }, conversationHistory: { messages: [message] } };
			const run = client.run({ request: { action: { action: { case: "userMessageAction", value } } } });
			return run.then(
				({ text }) => text,
				(error) => error.rawMessage,
			);
		},
	},
	"sign-in-policy": {
		options: { autoApprove: true },
		async look(_client, emulator) {
			return (await callOver(emulator, "POST", "/auth/poll", { uuid: "u", verifier: "v" })).status;
		},
	},
	"long-conversation": {
		options: { brain: readsAll, accounts: SMALL_WINDOW },
		async look(client) {
			const root = client.keep(Buffer.from(JSON.stringify({ role: "user", content: "long ".repeat(500) })));
			const state = { rootPromptMessagesJson: [root] } as never;
			return client.run({ state }).then(
				({ text, updates }) => [text, updates.some(({ case: kind }) => kind === "summary")],
				(error) => [error.rawMessage, error.details],
			);
		},
	},
	"pending-tool-calls": {
		options: { brain: callsOnce },
		async look(client) {
			const { checkpoints } = await client.run({ tools: TOOLS, onExec: (exec) => textResult(exec, "r") });
			return checkpoints.map(({ pendingToolCalls }) => pendingToolCalls.length);
		},
	},
	"step-updates": {
		options: { brain: callsOnce },
		look: async (client) => (await orderOf(client)).filter((kind) => kind.startsWith("step")),
	},
};
