import type { Client, Target } from "../src/connect/client.ts";
import { CLIENTS } from "../src/connect/clients.ts";
import { planConnect } from "../src/connect/plan.ts";
import { code } from "./markdown.ts";

const TARGET: Target = {
	url: "http://127.0.0.1:4280",
	key: "cw_YOUR_KEY",
	model: "auto",
	models: [{ id: "auto", name: "Auto", contextWindow: 200_000, thinking: true, images: true }],
};
const APIS: Readonly<Record<Client["api"], string>> = {
	chat: "Chat Completions",
	responses: "Responses",
	messages: "Messages",
};
/** Besides what `connect` writes: surprising behaviour of the client. */
const REMARKS: Readonly<Record<string, readonly string[]>> = {
	opencode: [
		"The plugin `opencode-cursorwire` does the same without a settings file of models: [opencode-plugin.md](opencode-plugin.md).",
		"`provider.cursorwire.npm` may also be `@ai-sdk/openai` (Responses) or `@ai-sdk/anthropic` (Messages); all three work.",
		"OpenCode asks for a title of the session along with the first question, without tools: each title costs a small run.",
	],
	codex: [
		"Codex gets the windows, efforts and images of all models from `model_catalog_url`, from version 0.156 on; older versions ignore it, and need `model_context_window`. An entry of the catalogue has to contain the instructions that Codex begins with, so they are the gateway's ([ADR 52](../adr/0052-codex-gets-a-catalogue.md)); `model_instructions_file` in Codex's settings replaces them, and `api_key_model_discovery = false` brings back Codex's own, with a warning that the model is not known.",
		"Without the catalogue, a model name that begins like one that Codex knows (`gpt-5.5…`, `gpt-5.6…`) turns on its freeform tools or its lite form; both work.",
		"After a final refusal (used-up quota, 402), Codex tries six times before it reports it.",
	],
	"claude-code": [
		"An ANTHROPIC_API_KEY in your shell overrides these settings: unset it.",
		"`claude-sonnet-4-5` and similar names are mapped to Cursor's models: [configuration.md](../configuration.md#names-for-models).",
		"`[1m]` behind a model's name chooses the long context: [configuration.md](../configuration.md#names-for-models).",
		"After a tool search the list of tools grows. A parked run cannot be told about new tools, so that turn continues in a second run, and later turns go on from the checkpoint. With a hundred tools of MCP servers, the model reads less than half as much as without the search.",
		"Windows: a conversation that no longer fits is an error in the words by which Claude Code compacts it, with the figures.",
	],
	cline: ["With OpenAI's own provider, Cline offers `apply_patch` instead of its editor."],
	continue: ["`provider: anthropic` with the same `apiBase` speaks Messages."],
	"qwen-code": [
		"`qwen --auth-type openai-responses` and `anthropic` work as well, with `OPENAI_…` and `ANTHROPIC_…` variables.",
		"Without a terminal, its shell tool may lose the last lines of a command's output; see its setting `tools.shell.enableInteractiveShell`.",
	],
};

/** docs/clients/<name>.md, from what `cursorwire connect` writes. */
export function renderClientDoc(name: string): string {
	const client = CLIENTS[name]!;
	const places = { home: "~", platform: "linux" as const, variable: () => "" };
	const [file] = client.files(places);
	const { after } = planConnect(client, file!, undefined, TARGET, true);
	const notes = [
		...(client.notes?.(TARGET, { variable: places.variable, settings: {} }) ?? []),
		...(REMARKS[name] ?? []),
	];
	return `${[
		`# ${client.name}`,
		"Generated from `packages/gateway/src/connect/clients` by `npm run docs`; a test compares both.",
		`${code(`cursorwire connect ${name}`)} sets it up for the running gateway: it shows what it will change, asks, keeps a copy, and sends a request as ${client.name} will send it (${APIS[client.api]}). ${code(`cursorwire disconnect ${name}`)} undoes it. ${code("--model")} chooses a model, ${code("--no-default")} keeps the one you use, ${code("--print")} only prints. In a clone, write ${code("npx cursorwire")} for ${code("cursorwire")} ([quick start](../quick-start.md)).`,
		"## By hand",
		`In ${code(file!)}, with your models instead of the one here:`,
		`~~~${client.format === "json" ? "jsonc" : client.format}\n${after.trimEnd()}\n~~~`,
		...(notes.length > 0 ? ["## Good to know", notes.map((note) => `- ${note}`).join("\n")] : []),
	].join("\n\n")}\n`;
}
