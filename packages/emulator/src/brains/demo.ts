import type { Brain, Call, CallResult, SearchOutcome, Tool, Turn } from "./brain.ts";
import { ownWords, withoutBlocks } from "./own-words.ts";
import { argumentsFor, type Intent, pickTool } from "./pick-tool.ts";
import { answerProbe, probeOf } from "./probe.ts";
import { inWords } from "./words.ts";

interface ToolTask {
	intent: Intent;
	/** One entry per call: several files make several calls in one step. */
	values: Parameters<typeof argumentsFor>[1][];
}

/** Of what was asked, in an argument that stands for it. */
const MOST_WORDS = 60;

const QUOTED = /`([^`]+)`|"([^"]+)"|'([^']+)'/;
const FILE = /[\w./~-]*\.\w+|\/[\w./-]+/g;

/** The task that the user asks for, found by a handful of patterns. */
function toolTaskOf(prompt: string): ToolTask | undefined {
	const quoted = QUOTED.exec(prompt)
		?.slice(1)
		.find((text) => text !== undefined);
	const files = [...prompt.matchAll(FILE)].map(([file]) => file);
	if (/\b(run|execute)\b/i.test(prompt)) {
		const command = quoted ?? /\b(?:run|execute)\s+(.+)/i.exec(prompt)?.[1];
		return command ? { intent: "run", values: [{ command: command.trim() }] } : undefined;
	}
	if (/\b(write|create|save)\b/i.test(prompt) && files.length > 0) {
		return { intent: "write", values: [{ path: files.at(-1)!, content: `${quoted ?? "Hello from the demo."}\n` }] };
	}
	if (/\b(search|grep|find)\b/i.test(prompt)) {
		const pattern = quoted ?? /\b(?:search|grep|find)\s+(?:for\s+)?(\S+)/i.exec(prompt)?.[1];
		return pattern ? { intent: "search", values: [{ pattern }] } : undefined;
	}
	if (/\b(read|show|open|cat)\b/i.test(prompt) && files.length > 0) {
		return { intent: "read", values: files.map((path) => ({ path })) };
	}
	if (/\b(list|ls)\b/i.test(prompt)) return { intent: "list", values: [{ path: files[0] ?? "." }] };
	return undefined;
}

/** A small rule-based assistant: enough to show streaming, thinking, memory and the client's own tools at work. */
export const demo: Brain = async function* (turn) {
	if (wantsThinking(turn)) {
		for (const { text } of inWords("The user wants an answer. I am a demo, so I keep it short. "))
			yield { thinking: text };
	}
	const asked = turn.resumed ? "" : ownWords(newestTexts(turn));
	const probe = probeOf(asked);
	if (probe) {
		yield* answerProbe(turn, probe);
		return;
	}
	const demanded = demandedTool(turn);
	if (demanded) {
		const words = asked.slice(0, MOST_WORDS).trim() || undefined;
		yield { calls: [{ name: demanded.name, arguments: argumentsFor(demanded, {}, words) }] };
		return;
	}
	const term = searchTermOf(asked);
	if (term !== undefined && turn.builtins.includes("web_search_tool_call")) {
		yield* searchWeb(term);
		return;
	}
	const task = toolTaskOf(asked);
	if (task) {
		yield* performTask(turn, task);
		return;
	}
	yield* inWords(replyTo(turn));
};

/** The one tool that the model was told to call: a client forces it, or wants its reply as JSON. */
function demandedTool({ system, rules, tools }: Turn): Tool | undefined {
	const [, name] = /\bby calling the tool ([\w-]+)/i.exec([...system, ...rules].join("\n")) ?? [];
	return tools.find((tool) => tool.name === name);
}

/** Words such as `search the web for cats`, or a client's `Perform a web search for the query: cats`. */
function searchTermOf(prompt: string): string | undefined {
	return /\b(?:search the web for|web search for(?: the query:)?)\s+(.+)/i.exec(prompt)?.[1]?.trim();
}

async function* searchWeb(term: string): ReturnType<Brain> {
	const { pages, rejected }: SearchOutcome = yield { search: term };
	if (!pages) yield* inWords(`The search was not allowed: ${rejected}`);
	else yield* inWords(`I found ${pages.map(({ title, url }) => `[${title}](${url})`).join(", ")}.`);
}

async function* performTask(turn: Turn, { intent, values }: ToolTask): ReturnType<Brain> {
	const tool = pickTool(turn.tools, intent);
	if (!tool) {
		const offered = turn.tools.map(({ name }) => name).join(", ") || "none";
		yield* inWords(`I would ${intent} that, but your client offers no tool for it (tools: ${offered}).`);
		return;
	}
	yield* inWords(`Let me ${intent} that. `);
	const calls: Call[] = values.map((value) => ({ name: tool.name, arguments: argumentsFor(tool, value) }));
	const results: CallResult[] = yield { calls };
	for (const [index, result] of results.entries()) {
		const outcome = result.isError ? "failed" : "says";
		const label = values[index]?.path ?? values[index]?.command ?? tool.name;
		yield* inWords(`${label} ${outcome}: ${result.text.trim().slice(0, 2000)}\n`);
	}
}

/** All texts since the model last spoke. */
function newestTexts({ messages }: Turn): string[] {
	const lastReply = messages.findLastIndex(({ role }) => role === "assistant");
	return messages
		.slice(lastReply + 1)
		.flatMap(({ role, content }) => (role === "user" ? content : []))
		.flatMap((part) => (part.type === "text" ? [part.text] : []));
}

function wantsThinking({ model }: Turn): boolean {
	const { thinking, reasoning, effort } = model.parameters;
	return thinking === "true" || (reasoning !== undefined && reasoning !== "low") || effort === "high";
}

function replyTo(turn: Turn): string {
	const asked = withoutBlocks(turn.prompt);
	const earlier = turn.messages.filter(({ role }) => role === "user").slice(0, -1);
	if (/\b(what|which).*\b(did|was|were)\b.*\b(say|said|ask|tell|told|first)\b/i.test(asked) && earlier.length > 0) {
		const first = earlier[0]!.content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("");
		return `You first said: ${first}`;
	}
	if (turn.images.length > 0) {
		const sizes = turn.images.map(({ mediaType, data }) => `${mediaType}, ${data.length} bytes`).join("; ");
		return `I see ${turn.images.length} image(s): ${sizes}.`;
	}
	if (turn.resumed) {
		const result = turn.messages.flatMap(({ content }) => content).findLast((part) => part.type === "tool-result");
		return result ? `The tool said: ${String(result.result)}` : "Going on where we stopped.";
	}
	if (/^\s*(hi|hello|hey)\b/i.test(asked)) {
		return "Hello! I am the demo model of the Cursorwire emulator. Ask me to read, write, list, search or run something.";
	}
	return `You said: ${asked}`;
}
