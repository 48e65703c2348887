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
/** Beside what `connect` writes: what the client does that one would not expect. */
const REMARKS: Readonly<Record<string, readonly string[]>> = {
	opencode: [
		"The plugin `opencode-cursorwire` does the same without a settings file of models: [opencode-plugin.md](opencode-plugin.md).",
		"`provider.cursorwire.npm` may also be `@ai-sdk/openai` (Responses) or `@ai-sdk/anthropic` (Messages); all three work.",
		"Titles of sessions are asked for beside the first question, without tools: each costs a small run.",
	],
	codex: [
		"Names of models that begin like one that Codex knows (`gpt-5.5…`, `gpt-5.6…`) switch on its freeform tools or its lite form; both work.",
		"Refused for good (used-up usage, 402), it asks six times before it says so.",
	],
	"claude-code": [
		"`claude-sonnet-4-5` and its like find Cursor's models by themselves: [configuration.md](../configuration.md#names-for-models).",
		"After its tool search the list of tools grows, which a waiting run cannot be told: that turn goes on in a second run.",
	],
	cline: ["On OpenAI's own provider it offers `apply_patch` in place of its editor."],
	continue: ["`provider: anthropic` with the same `apiBase` speaks Messages."],
	"qwen-code": [
		"`qwen --auth-type openai-responses` and `anthropic` work as well, by `OPENAI_…` and `ANTHROPIC_…` variables.",
		"Without a terminal its shell tool may lose the last lines of a command: `tools.shell.enableInteractiveShell`.",
	],
};

/** docs/clients/<name>.md, from what `cursorwire connect` writes. */
export function renderClientDoc(name: string): string {
	const client = CLIENTS[name]!;
	const places = { home: "~", platform: "linux" as const, variable: () => "" };
	const [file] = client.files(places);
	const { after } = planConnect(client, file!, undefined, TARGET, true);
	const notes = [...(client.notes?.(TARGET) ?? []), ...(REMARKS[name] ?? [])];
	return `${[
		`# ${client.name}`,
		"Generated from `packages/gateway/src/connect/clients` by `npm run docs`; a test compares both.",
		`${code(`cursorwire connect ${name}`)} sets it up for the gateway that runs: it shows what it will change, asks, keeps a copy, and tries the gateway as ${client.name} will ask it (${APIS[client.api]}). ${code(`cursorwire disconnect ${name}`)} takes it back. ${code("--model")} chooses a model, ${code("--no-default")} leaves yours as it is, ${code("--print")} only prints.`,
		"## By hand",
		`In ${code(file!)}, with your models in place of the one here:`,
		`~~~${client.format === "json" ? "jsonc" : client.format}\n${after.trimEnd()}\n~~~`,
		...(notes.length > 0 ? ["## Good to know", notes.map((note) => `- ${note}`).join("\n")] : []),
	].join("\n\n")}\n`;
}
