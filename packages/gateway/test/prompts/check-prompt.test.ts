// The checker itself: it passes what is right, and names each kind of fault.
import { readFileSync } from "node:fs";
import type { ShownEntry, ShownPart, ShownPrompt } from "cursorwire-emulator";
import { expect, it } from "vitest";
import { checkPrompt } from "./check-prompt.ts";
import type { ClientRequest } from "./client-request.ts";
import { DOCUMENTED } from "./documented.ts";
import { readMessage } from "./read/parts.ts";

const IMAGE = "data:image/png;base64,aGVsbG8=";
const image = { type: "image_url", image_url: { url: IMAGE } };
const { images } = readMessage("user", [image]);
const SCHEMA = { type: "object" };

const REQUEST: ClientRequest = {
	system: ["Be kind.", "Be brief."],
	messages: [
		readMessage("user", "Is it so?"),
		{ ...readMessage("assistant", "It is."), calls: [{ name: "look", args: { at: "it" } }] },
		readMessage("tool", [{ text: "A tree." }, { text: "A house." }]),
		readMessage("assistant", "There is a tree."),
		readMessage("user", [{ text: "And now?" }, { text: "Say more." }, image]),
		readMessage("system", "It is late."),
	],
	tools: [{ name: "look", description: "Looks.", schema: SCHEMA }],
};

const text = (words: string): ShownPart => ({ type: "text", text: words, tokens: 1 });
const entry = (role: ShownEntry["role"], ...parts: ShownPart[]): ShownEntry => ({ role, parts, tokens: 1 });
const picture: ShownPart = { type: "image", mediaType: "image/png", bytes: 5, sha256: images[0]!.sha256 };
const look: ShownPart = { type: "tool-call", toolName: "look", args: { at: "it" }, tokens: 1 };
const seen: ShownPart = {
	...{ type: "tool-result", toolName: "look", isError: false, tokens: 1 },
	parts: [{ type: "text", text: "A tree.\n\nA house.", tokens: 1 }],
};
const REMINDER = "<system-reminder>\nIt is late.\n</system-reminder>";

const PROMPT: ShownPrompt = {
	...{ number: 1, at: 0, protocol: "agent", rpc: "Run", conversationId: "", model: "m", mode: "agent" },
	system: [{ channel: "cloud_rule", text: "Be kind.\n\nBe brief.", tokens: 1 }],
	tools: [{ place: "here", name: "look", description: "Looks.", inputSchema: SCHEMA, tokens: 1 }],
	builtins: [],
	context: { "request_context.env": { timeZone: "Europe/Oslo" } },
	history: [
		entry("user", text("Is it so?")),
		entry("assistant", text("It is."), look),
		entry("tool", seen),
		entry("assistant", text("There is a tree.")),
	],
	newest: entry("user", text(`And now?\n\nSay more.\n\n${REMINDER}`), picture),
	since: [entry("assistant", text("An answer."))],
	tokens: { system: 0, tools: 0, context: 0, history: 0, newest: 0, since: 0, total: 0 },
	twice: [],
};

const [user, assistant, tool, answer] = PROMPT.history as [ShownEntry, ShownEntry, ShownEntry, ShownEntry];
const inNewest = (words: string, ...others: ShownPart[]) => ({
	newest: entry("user", text(words), picture, ...others),
});

const FAULTS: [string, Partial<ShownPrompt>, string[]][] = [
	["a prompt that is right", {}, []],
	[
		"parts that are glued",
		inNewest(`And now?Say more.\n\n${REMINDER}`),
		['glued: question "Say more." in newest', 'glued: question "And now?" in newest'],
	],
	[
		"a system text in two channels",
		{ system: [...PROMPT.system, { channel: "rules", text: "Be brief.", tokens: 1 }] },
		['again: system text "Be brief." in system rules'],
	],
	[
		"a question in the history",
		{
			history: [...PROMPT.history, entry("user", text("And now?"), text("Say more."), picture)],
			newest: entry("user", text(REMINDER)),
		},
		['misplaced: question "Say more." in history 5 (user)', 'misplaced: question "And now?" in history 5 (user)'],
	],
	[
		"a question twice",
		inNewest(`And now?\n\nSay more.\n\nSay more.\n\n${REMINDER}`),
		['again: question "Say more." in newest'],
	],
	[
		"a reminder in the system prompt",
		{
			system: [...PROMPT.system, { channel: "rules", text: "It is late.", tokens: 1 }],
			...inNewest("And now?\n\nSay more."),
		},
		['misplaced: reminder "It is late." in system rules', 'out of order: reminder "It is late."'],
	],
	["a text that is missing", { history: [user, assistant, tool] }, ['missing: answer "There is a tree."']],
	[
		"a text that nobody sent",
		inNewest(`Dear model,\n\nAnd now?\n\nSay more.\n\n${REMINDER}`),
		['invented: "Dear model," in newest'],
	],
	["entries out of order", { history: [answer, user, assistant, tool] }, ['out of order: answer "There is a tree."']],
	[
		"a tool in two places",
		{ tools: [...PROMPT.tools, { ...PROMPT.tools[0]!, place: "there" }] },
		["again: tool look in here and there"],
	],
	["a tool that is missing", { tools: [] }, ["missing: tool look"]],
	[
		"a tool that nobody sent",
		{ tools: [...PROMPT.tools, { ...PROMPT.tools[0]!, name: "jump" }] },
		["invented: tool jump"],
	],
	[
		"a tool with other words",
		{ tools: [{ ...PROMPT.tools[0]!, description: "Jumps." }] },
		["changed: description of tool look"],
	],
	[
		"a tool with another schema",
		{ tools: [{ ...PROMPT.tools[0]!, inputSchema: {} }] },
		["changed: schema of tool look"],
	],
	[
		"a call that is missing",
		{ history: [user, entry("assistant", text("It is.")), tool, answer] },
		['missing: call "look [[\\"at\\",\\"it\\"]]"'],
	],
	[
		"a call twice",
		{ history: [user, entry("assistant", text("It is."), look, look), tool, answer] },
		['again: call "look [[\\"at\\",\\"it\\"]]"'],
	],
	[
		"an image twice",
		inNewest(`And now?\n\nSay more.\n\n${REMINDER}`, picture),
		[expect.stringMatching(/^again: image/)],
	],
	[
		"an image that is missing",
		{ newest: entry("user", text(`And now?\n\nSay more.\n\n${REMINDER}`)) },
		[expect.stringMatching(/^missing: image/)],
	],
	["context that nobody sent", { context: { "user_message.richText": "hello" } }, ["invented: user_message.richText"]],
];

it.each(FAULTS)("%s", (_name, change, faults) => {
	expect(checkPrompt(REQUEST, { ...PROMPT, ...change })).toEqual(faults);
});

it.each(DOCUMENTED)("$told is what the documentation says", ({ told, words }) => {
	const architecture = readFileSync(new URL("../../../../docs/architecture.md", import.meta.url), "utf8");
	expect(architecture).toContain(`| ${told} |`);
	expect(told.replaceAll("`", "")).toMatch(new RegExp(words.source, "m"));
});

it("a client may say the same twice, and a text that is part of another one", () => {
	const request: ClientRequest = {
		system: [],
		messages: [
			readMessage("user", "Go on"),
			readMessage("assistant", "Go on yourself.\nGo on"),
			readMessage("user", "Go on"),
		],
		tools: [],
	};
	const prompt = { ...PROMPT, system: [], tools: [], since: [] };
	const history = [entry("user", text("Go on")), entry("assistant", text("Go on yourself.\nGo on"))];
	expect(checkPrompt(request, { ...prompt, history, newest: entry("user", text("Go on")) })).toEqual([]);
	expect(checkPrompt(request, { ...prompt, history, newest: null })).toEqual(['missing: question "Go on"']);
});

it("results of a run that goes on are part of its prompt, with what the user says beside them", () => {
	const request: ClientRequest = {
		system: [],
		messages: [
			readMessage("user", "Look"),
			{ ...readMessage("assistant", []), calls: [{ name: "look", args: { at: "it" } }] },
			readMessage("tool", [{ text: "A tree." }, { text: "A house." }]),
			readMessage("user", "And a reminder."),
		],
		tools: [],
	};
	const prompt = { ...PROMPT, system: [], tools: [], history: [], newest: entry("user", text("Look")) };
	const withReminder = {
		...seen,
		parts: [...(seen as { parts: ShownPart[] }).parts, text("And a reminder.")],
	} as ShownPart;
	const since = (result: ShownPart) => [
		entry("assistant", look),
		entry("tool", result),
		entry("assistant", text("Seen.")),
	];
	expect(checkPrompt(request, { ...prompt, since: since(withReminder) })).toEqual([]);
	const hidden = { history: [entry("user", text("Look"))], newest: entry("user", text("Hello")) };
	expect(checkPrompt(request, { ...prompt, ...hidden, since: since(withReminder) })).toEqual([
		'misplaced: question "Look" in history 1 (user)',
		'invented: "Hello" in newest',
	]);
	const rebuilt = [entry("user", text("Look")), entry("assistant", look), entry("tool", seen)];
	const newest = entry("user", text("And a reminder."));
	expect(checkPrompt(request, { ...prompt, history: rebuilt, newest, since: [] })).toEqual([]);
	expect(checkPrompt(request, { ...prompt, since: since(seen) })).toEqual(['missing: user text "And a reminder."']);
});

it("a legacy chat has images as links in the text", () => {
	const request: ClientRequest = { system: [], messages: [readMessage("user", [{ text: "Look" }, image])], tools: [] };
	const prompt = { ...PROMPT, protocol: "legacy" as const, system: [], tools: [], history: [], since: [] };
	const newest = (words: string) => ({ ...prompt, newest: entry("user", text(words)) });
	expect(checkPrompt(request, newest(`Look\n\n![image](${IMAGE})`))).toEqual([]);
	expect(checkPrompt(request, newest("Look"))).toEqual([`missing: question "![image](${IMAGE})"`]);
});
