// Requests and replies that are as large or as unusual as the limits allow. Each is `{ label, path, body, reply }`.
import { prose } from "../replies.mjs";

const MEBI = 1 << 20;
const model = "auto";
const CHAT = "/v1/chat/completions";
const MESSAGES = "/v1/messages";
const RESPONSES = "/v1/responses";
const COUNT = "/v1/messages/count_tokens";

const user = (content) => ({ role: "user", content });
const said = (content, more = {}) => ({ model, messages: [user(content)], ...more });
const many = (count, make) => Array.from({ length: count }, (_, index) => make(index));

/** Text that no tokenizer has seen before. */
function noise(size, first, letters) {
	let seed = 1;
	let text = "";
	while (text.length < size) {
		seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
		text += String.fromCharCode(first + ((seed >>> 8) % letters));
	}
	return text;
}

const chinese = (size) => noise(size, 0x4e00, 20_000);
const letters = (size) => noise(size, 0x41, 26);

const conversation = (count) =>
	many(count, (index) => ({ role: index % 2 === 0 ? "user" : "assistant", content: `message ${index}` }));

const call = (index, text = "{}") => ({
	role: "assistant",
	tool_calls: [{ id: `c${index}`, type: "function", function: { name: "read", arguments: text } }],
});
const result = (index, content) => ({ role: "tool", tool_call_id: `c${index}`, content });
const agentic = (count) =>
	many(count, (index) => {
		if (index === 0) return user("begin");
		return index % 2 === 1 ? call(index, `{"path":"src/file-${index}.ts"}`) : result(index - 1, `line ${index}`);
	});

const PNG = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(20 * MEBI - 8, 0xa5)]).toString(
	"base64",
);
const nodes = (count) => `[${"1,".repeat(count - 1)}1]`;
const raw = (body, field) => `${JSON.stringify(body).slice(0, -1)},${field}}`;
const tool = (name, parameters, description = "") => ({
	type: "function",
	function: { name, description, parameters },
});
const property = (index) => [`property${index}`, { type: "string", description: `what ${index} is` }];
const schema = (size) => ({ type: "object", properties: Object.fromEntries(many(size, property)) });

/** Cases with a large request, which only has to be served or refused. */
export const requests = [
	{ label: "an ordinary request", path: CHAT, body: said("hello") },
	{ label: "count_tokens, 2 M Chinese characters", path: COUNT, body: () => said(chinese(2e6)) },
	{ label: "count_tokens, 2 M letters of noise", path: COUNT, body: () => said(letters(2e6)) },
	{ label: "count_tokens, 2 M of one letter", path: COUNT, body: () => said("x".repeat(2e6)) },
	{ label: "count_tokens, 31 MB of prose", path: COUNT, body: () => said(prose(27 * MEBI)) },
	{
		label: "count_tokens, 65,000 short messages",
		path: COUNT,
		body: () => ({ model, messages: conversation(65_000) }),
	},
	{
		label: "16 stop sequences, 1.9 MB each",
		path: CHAT,
		body: () => said("hello", { stop: many(16, () => "ab".repeat(950_000)) }),
	},
	{ label: "20,001 messages", path: CHAT, body: () => ({ model, messages: conversation(20_001) }) },
	{ label: "20,001 messages, Messages", path: MESSAGES, body: () => ({ model, messages: conversation(20_001) }) },
	{ label: "20,001 items, Responses", path: RESPONSES, body: () => ({ model, input: conversation(20_001) }) },
	{ label: "65,001 messages", path: CHAT, body: () => ({ model, messages: conversation(65_001) }) },
	{ label: "20,001 messages of calls and results", path: CHAT, body: () => ({ model, messages: agentic(20_001) }) },
	{
		label: "300,000 parts in one message",
		path: CHAT,
		body: () => said(many(300_000, (index) => ({ type: "text", text: `${index}` }))),
	},
	{ label: "a prompt of 31 MB", path: CHAT, body: () => said(prose(27 * MEBI)) },
	{ label: "a prompt of 31 MB, Messages", path: MESSAGES, body: () => said(prose(27 * MEBI)) },
	{ label: "a prompt of 31 MB, Responses (stored)", path: RESPONSES, body: () => ({ model, input: prose(27 * MEBI) }) },
	{ label: "a prompt of 10 M Chinese characters", path: CHAT, body: () => said(chinese(1e7)) },
	{ label: "31 MB of escapes", path: CHAT, body: () => said("\u0001".repeat(5e6)) },
	{
		label: "31 MB in 31 messages",
		path: CHAT,
		body: () => ({ model, messages: many(31, () => user(prose(0.9 * MEBI))) }),
	},
	{ label: "a system prompt of 10 MB", path: MESSAGES, body: () => said("hello", { system: prose(10 * MEBI) }) },
	{
		label: "a tool result of 10 MB",
		path: CHAT,
		body: () => ({ model, messages: [user("a"), call(1), result(1, prose(10 * MEBI))] }),
	},
	{
		label: "arguments of 10 MB",
		path: CHAT,
		body: () => ({ model, messages: [user("a"), call(1, JSON.stringify({ text: prose(9 * MEBI) })), result(1, "x")] }),
	},
	{
		label: "arguments of 2 M values",
		path: CHAT,
		body: () => ({ model, messages: [user("a"), call(1, `{"a":${nodes(2e6)}}`), result(1, "x")] }),
	},
	{
		label: "arguments of 2 M values, with a following turn",
		path: CHAT,
		body: () => ({
			model,
			messages: [
				user("a"),
				call(1, `{"a":${nodes(2e6)}}`),
				result(1, "x"),
				{ role: "assistant", content: "done" },
				user("more"),
			],
		}),
	},
	{
		label: "an image of 20 MiB",
		path: CHAT,
		body: () => said([{ type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } }]),
	},
	{
		label: "999,000 values in a schema",
		path: CHAT,
		body: () =>
			raw(said("a"), `"tools":[{"type":"function","function":{"name":"t","parameters":{"enum":${nodes(999_000)}}}}]`),
	},
	{
		label: "512 tools, 200 properties each",
		path: CHAT,
		body: () => said("a", { tools: many(512, (index) => tool(`t${index}`, schema(200))) }),
	},
	{
		label: "512 tools, 60 kB of description each",
		path: CHAT,
		body: () => said("a", { tools: many(512, (index) => tool(`t${index}`, schema(2), prose(55_000))) }),
	},
	{
		label: "a schema of 100,000 properties for the reply",
		path: CHAT,
		body: () =>
			said("a", { response_format: { type: "json_schema", json_schema: { name: "a", schema: schema(100_000) } } }),
	},
	{ label: "10 M numbers", path: CHAT, body: () => raw(said("a"), `"stop":${nodes(1e7)}`) },
	{ label: "999,000 values in an unknown field", path: CHAT, body: () => raw(said("a"), `"extra":${nodes(999_000)}`) },
	{
		label: "31 MB of blanks after a request",
		path: CHAT,
		body: () => `${JSON.stringify(said("a"))}${" ".repeat(31 * MEBI)}`,
	},
	{ label: "a key of 31 MB", path: CHAT, body: () => raw(said("a"), `"${"k".repeat(31 * MEBI)}":1`) },
	{ label: "a million levels", path: CHAT, body: () => `${"[".repeat(1e6)}` },
];

const streamed = said("hello", { stream: true });
const whole = said("hello");
const large = { mode: "burst", deltas: 12_500, repeat: 200 };

/** Cases with a large reply: 50 MB, in deltas of 4 kB. */
export const replies = [
	{ label: "a reply of 50 MB, streamed", path: CHAT, body: streamed, reply: large },
	{ label: "a reply of 50 MB, whole", path: CHAT, body: whole, reply: large },
	{ label: "a reply of 50 MB, Messages, streamed", path: MESSAGES, body: streamed, reply: large },
	{ label: "a reply of 50 MB, Messages, whole", path: MESSAGES, body: whole, reply: large },
	{
		label: "a reply of 50 MB, Responses, streamed",
		path: RESPONSES,
		body: { model, input: "hello", stream: true },
		reply: large,
	},
	{ label: "a reply of 50 MB, Responses, whole", path: RESPONSES, body: { model, input: "hello" }, reply: large },
	{
		label: "a reply of 1 M deltas, streamed",
		path: CHAT,
		body: streamed,
		reply: { mode: "burst", deltas: 1e6, repeat: 1 },
	},
	{
		label: "a reply of 10 MB, cut to 1 M tokens",
		path: CHAT,
		body: said("hello", { max_tokens: 1e6 }),
		reply: { mode: "burst", deltas: 2500, repeat: 200 },
	},
	{
		label: "a reply of 10 MB, 16 stop sequences",
		path: CHAT,
		body: said("hello", { stop: many(16, (index) => `~nothing ${index}`) }),
		reply: { mode: "burst", deltas: 2500, repeat: 200 },
	},
	{
		label: "a reply of 10 MB, as JSON",
		path: CHAT,
		body: said("hello", { response_format: { type: "json_object" } }),
		reply: { mode: "burst", deltas: 2500, repeat: 200 },
	},
];
