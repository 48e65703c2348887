import type { Client, Target } from "../src/connect/client.ts";
import { CLIENTS } from "../src/connect/clients.ts";
import { planChoice, planConnect } from "../src/connect/plan.ts";
import { VARIABLE_CLIENTS, variableLines } from "../src/connect/variable-clients.ts";
import { code } from "./markdown.ts";

const TARGET: Target = {
	url: "http://127.0.0.1:4280",
	key: "cw_YOUR_KEY",
	model: "auto",
	models: [{ id: "auto", name: "Auto", contextWindow: 200_000, thinking: true, images: true }],
	webSockets: true,
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
		"`cursorwire mcp` as one of its `mcp_servers` lets it look up usage, limits and models: [mcp.md](../mcp.md).",
		"Codex gets the windows, efforts and images of all models from `model_catalog_url`, from version 0.156 on; older versions ignore it, and need `model_context_window`. An entry of the catalogue has to contain the instructions that Codex begins with, so they are the gateway's ([ADR 52](../adr/0052-codex-gets-a-catalogue.md)); `model_instructions_file` in Codex's settings replaces them, and `api_key_model_discovery = false` brings back Codex's own, with a warning that the model is not known.",
		"A conversation that has become too long is summed up by the model that you use. Codex keeps the summary sealed, and only the gateway that made it can read it, or another with the same Redis ([ADR 53](../adr/0053-compactions-are-sealed.md)). If it says that the compaction cannot be read, begin a new conversation.",
		"Over a WebSocket the history is sent once, and after that only what is new. Without `supports_websockets`, or where the setting `webSockets` is off, Codex uses HTTP ([ADR 54](../adr/0054-web-sockets-are-written-here.md)).",
		"Without the catalogue, a model name that begins like one that Codex knows (`gpt-5.5…`, `gpt-5.6…`) turns on its freeform tools or its lite form; both work.",
		"Codex offers a search of the web in every request. It takes place if the setting `webSearch` is on: [web-search.md](../web-search.md).",
	],
	"claude-code": [
		"An ANTHROPIC_API_KEY in your shell overrides these settings: unset it.",
		"`claude mcp add cursorwire -- cursorwire mcp` lets it look up usage, limits and models: [mcp.md](../mcp.md).",
		"For names that are not Anthropic's, such as `auto`, it writes `[claude-code:unrecognized_model]` to standard error. That means nothing more.",
		"`claude-sonnet-4-5` and similar names are mapped to Cursor's models: [configuration.md](../configuration.md#names-for-models).",
		"`[1m]` behind a model's name chooses the long context: [configuration.md](../configuration.md#names-for-models).",
		"After a tool search the list of tools grows. A parked run cannot be told about new tools, so that turn continues in a second run, and later turns go on from the checkpoint. With a hundred tools of MCP servers, the model reads less than half as much as without the search.",
		"WebSearch needs the setting `webSearch`: [web-search.md](../web-search.md).",
		"A conversation that no longer fits is an error in the words by which Claude Code compacts it, with the figures.",
	],
	cline: ["With OpenAI's own provider, Cline offers `apply_patch` instead of its editor."],
	vscode: [
		"The Custom Endpoint provider is in VS Code 1.122 and newer; it needs no Copilot plan and no GitHub login. VS Code Insiders has a file of its own: [vscode-insiders.md](vscode-insiders.md). A profile of VS Code's own has one too: name it with `--file`.",
		"VS Code watches the file, so nothing has to be restarted. `cursorwire connect vscode` again brings the list of models up to date; the efforts that you chose in VS Code, and a secret, stay.",
		"To have the key in VS Code's secret storage, set it there and remove `requestHeaders` from the models; the next `cursorwire connect vscode` puts them back. Why they are used: [ADR 58](../adr/0058-the-key-for-vs-code-is-a-header.md).",
		"`apiType` may also be `responses` (`/v1/responses`) or `messages` (`/v1/messages`). With `responses` VS Code names the former response and sends the new messages alone; the gateway keeps responses for 30 days for that.",
	],
	"vscode-insiders": ["The same as for the stable version: [vscode.md](vscode.md)."],
	goose: [
		"goose asks for a name of the session along with the first question: each costs a small run. `engine: anthropic` with a `base_url` that ends in `/v1/messages` works as well.",
	],
	pi: [
		'`"api"` may also be `openai-responses`, or `anthropic-messages` with a `baseUrl` without `/v1`.',
		"pi reads the file each time `/model` is opened.",
	],
	kilo: [
		"`provider.cursorwire.npm` may also be `@ai-sdk/openai` (Responses) or `@ai-sdk/anthropic` (Messages).",
		'These are the settings of the command line. In Kilo\'s extension for VS Code choose the provider "OpenAI Compatible", the address with `/v1`, the key and a model.',
	],
	raycast: [
		"Raycast runs on macOS and Windows. The file is its own description of custom providers; it was not tried with the program.",
	],
	copilot: [
		"`COPILOT_PROVIDER_WIRE_API=responses` works as well, and `COPILOT_PROVIDER_TYPE=anthropic` with the address without `/v1`.",
		"`copilot --model <name>` takes another model for one session.",
	],
	continue: ["`provider: anthropic` with the same `apiBase` speaks Messages."],
	"qwen-code": [
		"`qwen --auth-type openai-responses` and `anthropic` work as well, with `OPENAI_…` and `ANTHROPIC_…` variables.",
		"Without a terminal, its shell tool may lose the last lines of a command's output; see its setting `tools.shell.enableInteractiveShell`.",
	],
};

const SOURCE = "Generated from `packages/gateway/src/connect/clients` by `npm run docs`; a test compares both.";
const IN_A_CLONE = `In a clone, write ${code("npx cursorwire")} for ${code("cursorwire")} ([quick start](../quick-start.md)).`;

/** docs/clients/<name>.md of a client without a settings file. */
export function renderVariableClientDoc(name: string): string {
	const client = VARIABLE_CLIENTS[name]!;
	const lines = variableLines(client, TARGET, { isLocal: true, platform: "linux" });
	const notes = [...client.notes, ...(REMARKS[name] ?? [])];
	return `${[
		`# ${client.name}`,
		SOURCE,
		`${client.name} takes its server from the environment alone. ${code(`cursorwire connect ${name}`)} sends a request as ${client.name} will send it (${APIS[client.api]}), and prints the lines to set; it changes no file. ${code("--model")} chooses a model, ${code("--json")} prints the lines for programs. ${IN_A_CLONE}`,
		"## By hand",
		`~~~text\n${lines.join("\n")}\n~~~`,
		goodToKnow(notes),
	].join("\n\n")}\n`;
}

const goodToKnow = (notes: readonly string[]): string =>
	`## Good to know\n\n${notes.map((note) => `- ${note}`).join("\n")}`;

/** A file that `connect` would make. */
const fileText = (file: string, format: Client["format"], text: string): string[] => [
	`In ${code(file)}, with your models instead of the one here:`,
	`~~~${format.startsWith("json") ? "jsonc" : format}\n${text.trimEnd()}\n~~~`,
];

/** docs/clients/<name>.md, from what `cursorwire connect` writes. */
export function renderClientDoc(name: string): string {
	const client = CLIENTS[name]!;
	const places = { home: "~", platform: "linux" as const, variable: () => "" };
	const [file] = client.files(places);
	const { after } = planConnect(client, file!, undefined, TARGET, true);
	const { chooser } = client;
	const [chosen] = chooser?.files(places) ?? [];
	const notes = [
		...(client.notes?.(TARGET, { variable: places.variable, settings: {} }) ?? []),
		...(REMARKS[name] ?? []),
	];
	return `${[
		`# ${client.name}`,
		SOURCE,
		`${code(`cursorwire connect ${name}`)} sets it up for the running gateway: it shows what it will change, asks, keeps a copy, and sends a request as ${client.name} will send it (${APIS[client.api]}). ${code(`cursorwire disconnect ${name}`)} undoes it. ${code("--model")} chooses a model, ${code("--no-default")} keeps the one you use, ${code("--print")} only prints. ${IN_A_CLONE}`,
		"## By hand",
		...fileText(file!, client.format, after),
		...(chooser
			? fileText(chosen!, chooser.format, planChoice(client, chooser, chosen!, undefined, TARGET).after)
			: []),
		...(notes.length > 0 ? [goodToKnow(notes)] : []),
	].join("\n\n")}\n`;
}
