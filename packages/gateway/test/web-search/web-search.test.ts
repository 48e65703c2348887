// A search of the web that a client asks for, with the vendors' own libraries: an error item where it is off, results
// where it is on. The emulator makes the results up, and the gateway fetches nothing.
import Anthropic from "@anthropic-ai/sdk";
import type { SearchOutcome, Turn } from "cursorwire-emulator";
import OpenAI from "openai";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import { startTestGateway } from "../kit/gateway.ts";

const QUESTION = "Perform a web search for the query: cats";
const READ = { name: "read", description: "Reads.", input_schema: { type: "object" as const } };
const ANTHROPIC_SEARCH = { type: "web_search_20250305" as const, name: "web_search" as const };

interface Options {
	webSearch: boolean;
	/** How often the model searches. */
	searches?: number;
}

async function start({ webSearch, searches = 1 }: Options) {
	const turns: Turn[] = [];
	const outcomes: SearchOutcome[] = [];
	const gateway = await startTestGateway({
		settings: { webSearch },
		emulator: {
			strict: true,
			async *brain(turn) {
				turns.push(turn);
				yield { text: "Let me see. " };
				for (let n = 1; turn.builtins.includes("web_search_tool_call") && n <= searches; n++) {
					outcomes.push(yield { search: searches === 1 ? "cats" : `cats ${n}` });
				}
				const named = outcomes
					.flatMap(({ pages }) => pages?.slice(0, 1) ?? [])
					.map(({ title, url }) => `[${title}](${url})`);
				yield { text: named.length > 0 ? `I found ${named.join(", ")}.` : "I cannot search." };
			},
		},
	});
	const connection = { baseURL: gateway.url, apiKey: gateway.key, maxRetries: 0 };
	return {
		gateway,
		turns,
		outcomes,
		anthropic: new Anthropic(connection),
		openai: new OpenAI({ ...connection, baseURL: `${gateway.url}/v1` }),
	};
}

const messages = (tools: Anthropic.Messages.ToolUnion[]) => ({
	model: "claude-4.6-sonnet",
	max_tokens: 1_000,
	messages: [{ role: "user" as const, content: QUESTION }],
	tools,
});

describe("Messages", () => {
	it.each([false, true])("has results, citations and their count (stream: %s)", async (stream) => {
		const { anthropic, turns } = await start({ webSearch: true });
		const body = messages([ANTHROPIC_SEARCH]);
		const message = stream
			? await anthropic.messages.stream(body).finalMessage()
			: await anthropic.messages.create(body);
		expect(message.content.map(({ type }) => type)).toEqual([
			"text",
			"server_tool_use",
			"web_search_tool_result",
			"text",
		]);
		const [, use, result, text] = message.content as [
			unknown,
			Anthropic.Messages.ServerToolUseBlock,
			Anthropic.Messages.WebSearchToolResultBlock,
			Anthropic.Messages.TextBlock,
		];
		expect(use).toMatchObject({ name: "web_search", input: { query: "cats" }, caller: { type: "direct" } });
		expect(use.id).toMatch(/^srvtoolu_[0-9a-f]+$/);
		expect(result.tool_use_id).toBe(use.id);
		expect(result.content).toHaveLength(3);
		const [page] = result.content as Anthropic.Messages.WebSearchResultBlock[];
		expect(page).toMatchObject({ type: "web_search_result", title: "Page 1 about cats", page_age: null });
		expect(page!.url).toContain("https://example.com/");
		expect(text.citations).toMatchObject([{ type: "web_search_result_location", url: page!.url, title: page!.title }]);
		expect(message.usage.server_tool_use).toMatchObject({ web_search_requests: 1 });
		expect(message.stop_reason).toBe("end_turn");
		// The model may use this tool of Cursor's and no other.
		expect(turns[0]!.builtins.sort()).toEqual(["mcp_tool_call", "web_search_tool_call"]);
	});

	it("goes on with the conversation behind it, from the checkpoint", async () => {
		const { gateway, anthropic } = await start({ webSearch: true });
		const body = messages([ANTHROPIC_SEARCH]);
		const first = await anthropic.messages.create(body);
		const history = [
			...body.messages,
			{ role: "assistant", content: first.content },
			{ role: "user", content: "and now?" },
		];
		const second = await gateway.post("/v1/messages", { ...body, messages: history });
		expect(second.headers.get("x-cursorwire-path")).toBe("checkpoint");
		expect(second.headers.get("x-cursorwire-warnings")).toBeNull();
	});

	it.each([false, true])("says that there is no search where it is off (stream: %s)", async (stream) => {
		const { anthropic, turns } = await start({ webSearch: false });
		const body = messages([ANTHROPIC_SEARCH]);
		const message = stream
			? await anthropic.messages.stream(body).finalMessage()
			: await anthropic.messages.create(body);
		expect(message.content).toMatchObject([
			{ type: "server_tool_use", name: "web_search", input: { query: QUESTION } },
			{ type: "web_search_tool_result", content: { type: "web_search_tool_result_error", error_code: "unavailable" } },
			{ type: "text", text: "Let me see. I cannot search." },
		]);
		expect(message.usage.server_tool_use ?? null).toBeNull();
		expect(turns[0]!.builtins).toEqual(["mcp_tool_call"]);
		// So that it does not invent results.
		expect([...turns[0]!.system, ...turns[0]!.rules].join()).toContain("A web search was asked for");
	});

	it("names it in a warning where it is off and one tool among others", async () => {
		const { gateway } = await start({ webSearch: false });
		const response = await gateway.post("/v1/messages", messages([ANTHROPIC_SEARCH, READ]));
		expect(response.headers.get("x-cursorwire-warnings")).toContain("web search is off (setting webSearch)");
		const { content } = (await response.json()) as Anthropic.Messages.Message;
		expect(content.map(({ type }) => type)).toEqual(["text"]);
	});

	it("searches no more often than the client wants", async () => {
		const { anthropic, outcomes } = await start({ webSearch: true, searches: 3 });
		const message = await anthropic.messages.create(messages([{ ...ANTHROPIC_SEARCH, max_uses: 2 }]));
		const results = message.content.flatMap((block) =>
			block.type === "web_search_tool_result" ? [block.content] : [],
		);
		expect(results).toHaveLength(3);
		expect(results[2]).toEqual({ type: "web_search_tool_result_error", error_code: "max_uses_exceeded" });
		expect(outcomes.map(({ pages }) => pages !== undefined)).toEqual([true, true, false]);
		expect(message.usage.server_tool_use?.web_search_requests).toBe(2);
	});

	it("names settings of a search that have no effect", async () => {
		const { gateway } = await start({ webSearch: true });
		const search = { ...ANTHROPIC_SEARCH, allowed_domains: ["a.test"], user_location: { type: "approximate" } };
		const response = await gateway.post("/v1/messages", messages([search as never]));
		const warnings = response.headers.get("x-cursorwire-warnings");
		expect(warnings).toContain("tools[0].allowed_domains has no effect");
		expect(warnings).toContain("tools[0].user_location has no effect");
	});
});

describe("Responses", () => {
	const body = {
		model: "gpt-5.4",
		input: QUESTION,
		tools: [{ type: "web_search" as const }],
		include: ["web_search_call.action.sources" as const],
	};

	it.each([false, true])("has an item, sources and annotations (stream: %s)", async (stream) => {
		const { openai, gateway } = await start({ webSearch: true });
		const types: string[] = [];
		let response: OpenAI.Responses.Response;
		if (stream) {
			const events = openai.responses.stream(body);
			events.on("event", ({ type }) => types.push(type));
			response = await events.finalResponse();
		} else response = await openai.responses.create(body);
		expect(response.output.map(({ type }) => type)).toEqual(["message", "web_search_call", "message"]);
		const [, call, message] = response.output as [
			unknown,
			OpenAI.Responses.ResponseFunctionWebSearch & { action: OpenAI.Responses.ResponseFunctionWebSearch.Search },
			OpenAI.Responses.ResponseOutputMessage,
		];
		expect(call).toMatchObject({ status: "completed", action: { type: "search", query: "cats" } });
		expect(call.action.sources).toHaveLength(3);
		const [part] = message.content as OpenAI.Responses.ResponseOutputText[];
		const [citation] = part!.annotations as OpenAI.Responses.ResponseOutputText.URLCitation[];
		expect(citation).toMatchObject({ type: "url_citation", title: "Page 1 about cats" });
		expect(part!.text.slice(citation!.start_index, citation!.end_index)).toBe(citation!.url);
		if (stream) {
			const steps = types.filter((type) => /web_search_call|annotation/.test(type));
			expect(steps).toEqual([
				...["in_progress", "searching", "completed"].map((step) => `response.web_search_call.${step}`),
				"response.output_text.annotation.added",
			]);
		}
		// The conversation can be gone on with by its id.
		const next = { model: body.model, input: "and now?", previous_response_id: response.id };
		const later = await gateway.post("/v1/responses", next);
		expect(later.headers.get("x-cursorwire-warnings")).toBeNull();
	});

	it.each([false, true])("has a failed item where it is off (stream: %s)", async (stream) => {
		const { openai } = await start({ webSearch: false });
		const response = stream ? await openai.responses.stream(body).finalResponse() : await openai.responses.create(body);
		expect(response.output).toMatchObject([
			{ type: "web_search_call", status: "failed", action: { type: "search", query: QUESTION } },
			{ type: "message" },
		]);
	});
});

describe("Chat Completions", () => {
	const body = { model: "gpt-5.4", messages: [{ role: "user" as const, content: QUESTION }], web_search_options: {} };

	it.each([false, true])("has annotations (stream: %s)", async (stream) => {
		const { openai } = await start({ webSearch: true });
		let content = "";
		let annotations: OpenAI.ChatCompletionMessage.Annotation[] = [];
		if (stream) {
			for await (const { choices } of await openai.chat.completions.create({ ...body, stream: true })) {
				const delta = choices[0]?.delta as { content?: string; annotations?: typeof annotations };
				content += delta?.content ?? "";
				if (delta?.annotations) annotations = delta.annotations;
			}
		} else {
			const { choices } = await openai.chat.completions.create(body);
			content = choices[0]!.message.content!;
			annotations = choices[0]!.message.annotations!;
		}
		expect(annotations).toMatchObject([{ type: "url_citation", url_citation: { title: "Page 1 about cats" } }]);
		const { url, start_index, end_index } = annotations[0]!.url_citation;
		expect(content.slice(start_index, end_index)).toBe(url);
	});

	it("has a warning, and a reply that says so, where it is off", async () => {
		const { gateway, turns } = await start({ webSearch: false });
		const response = await gateway.post("/v1/chat/completions", body);
		expect(response.headers.get("x-cursorwire-warnings")).toContain("web search is off (setting webSearch)");
		const { choices } = (await response.json()) as OpenAI.ChatCompletion;
		expect(choices[0]!.message.annotations).toBeUndefined();
		expect([...turns[0]!.system, ...turns[0]!.rules].join()).toContain("A web search was asked for");
	});
});

it("is no business of a client that asks for none, even where it is on", async () => {
	const { anthropic, turns } = await start({ webSearch: true });
	const message = await anthropic.messages.create(messages([READ]));
	expect(message.content.map(({ type }) => type)).toEqual(["text"]);
	expect(turns[0]!.builtins).toEqual(["mcp_tool_call"]);
});

it("is counted in the ledger, whatever the API", async () => {
	const { gateway } = await start({ webSearch: true, searches: 2 });
	const asked: Record<string, [path: string, body: object]> = {
		messages: ["/v1/messages", messages([ANTHROPIC_SEARCH])],
		responses: ["/v1/responses", { model: "gpt-5.4", input: QUESTION, tools: [{ type: "web_search" }] }],
		chat: [
			"/v1/chat/completions",
			{ model: "gpt-5.4", messages: [{ role: "user", content: QUESTION }], web_search_options: {} },
		],
	};
	for (const [path, body] of Object.values(asked)) expect((await gateway.post(path, body)).status).toBe(200);
	await gateway.gateway.close();
	const store = await openStore({ dataDir: gateway.dataDir, warn: expect.fail });
	onTestFinished(() => store.close());
	const rows = (await store.lastRequests(3)).map(({ dialect, webSearches }) => [dialect, webSearches]);
	expect(Object.fromEntries(rows)).toEqual({ messages: 2, responses: 2, chat: 2 });
});
