// The model's side of every case. The newest user message names the scenario and may carry arguments:
// `[read] {"path":"note.txt"}`. What reached the model is reported back in the streamed text (kit/saw.mjs),
// so a case checks the whole path: client → wire → emulator → brain → emulator → wire → client.
import { createHash } from "node:crypto";
import { say } from "./kit/saw.mjs";

/** How often a conversation was started or resumed, for the scenarios that behave differently the second time. */
const attempts = new Map();

export default async function* brain(turn) {
	const { name, args } = parse(turn.prompt);
	const scenario = scenarios[name];
	if (scenario === undefined) {
		yield { text: `no scenario for: ${turn.prompt}` };
		return;
	}
	yield* scenario(turn, args);
}

/** @param {string} prompt */
function parse(prompt) {
	const found = /^\[([a-z-]+)\]\s*(\{.*\})?/s.exec(prompt);
	return { name: found?.[1] ?? "", args: found?.[2] ? JSON.parse(found[2]) : {} };
}

const scenarios = {
	async *text(turn) {
		for (const chunk of TEXT_CHUNKS) yield { text: chunk };
		yield say({ model: turn.model.id, prompt: turn.prompt, mode: turn.mode });
		yield { usage: USAGE };
	},

	async *thinking() {
		yield { thinking: "First I weigh it. " };
		yield { thinking: "Then I know." };
		yield { text: "It is so." };
	},

	async *read(_turn, { path, missing }) {
		const found = yield { exec: { kind: "read", args: { path } } };
		const absent = yield { exec: { kind: "read", args: { path: missing } } };
		yield say({ found: result(found), absent: result(absent) });
	},

	async *shell(_turn, { commands }) {
		const results = [];
		for (const command of commands) {
			results.push(result(yield { exec: { kind: "shell", args: shellArgs(command) } }));
		}
		yield say(results);
	},

	async *"shell-stream"(_turn, { command }) {
		const { events, stdout, stderr, exitCode } = yield { exec: { kind: "shell_stream", args: shellArgs({ command }) } };
		yield say({ kinds: events.map(eventKind), stdout, stderr, exitCode });
	},

	async *tool(turn, { calls }) {
		const results = [];
		for (const call of calls) {
			const [one] = yield { calls: [call] };
			results.push(toolResult(one));
		}
		yield say({ tools: turn.tools, results });
	},

	async *"tools-at-once"(_turn, { calls }) {
		const results = yield { calls };
		yield say(results.map(toolResult));
	},

	async *remember() {
		yield { text: "Noted: the answer is in the vault." };
	},

	async *recall(turn) {
		yield say(turn.messages.map(({ role, content }) => ({ role, text: textOf(content) })));
	},

	async *image(turn) {
		const inMessages = turn.messages.at(-1).content.filter(({ type }) => type === "image");
		yield say({ images: turn.images.map(fingerprint), inMessages: inMessages.map(fingerprint) });
	},

	async *context(turn) {
		const answer = yield { exec: { kind: "request_context", args: {} } };
		yield say({ asked: result(answer), given: turn.context, rules: turn.rules });
	},

	async *query() {
		const answers = [];
		for (const query of QUERIES) answers.push(result(yield { query }));
		yield say(answers);
	},

	async *plan(turn) {
		const answer = yield { query: { kind: "create_plan_request_query", args: PLAN_QUERY } };
		yield say({ mode: turn.mode, answer: result(answer) });
	},

	async *"usage-limit"() {
		yield { text: "Before the limit." };
		yield {
			error: {
				code: "resource_exhausted",
				message: "Error",
				details: {
					error: "ERROR_PRO_USER_USAGE_LIMIT",
					title: "You have hit your usage limit.",
					detail: "It resets on the first of the month.",
					isRetryable: false,
				},
			},
		};
	},

	async *cancel() {
		yield { text: "I will now think for ever." };
		yield { hang: true };
	},

	/** Cuts the connection once after a checkpoint: the client has to continue from there. */
	async *"drop-after-checkpoint"(turn) {
		if (attempt(turn) === 1) {
			yield { text: "First half." };
			yield { checkpoint: true };
			// The answer to a later question proves that the checkpoint has arrived before the connection is cut.
			yield { exec: { kind: "request_context", args: {} } };
			yield { drop: true };
		}
		yield say({
			resumed: turn.resumed,
			history: turn.messages.map(({ role, content }) => ({ role, text: textOf(content) })),
		});
	},

	/** Cuts the connection once before any checkpoint: the client has to repeat its request. */
	async *"drop-at-once"(turn) {
		if (attempt(turn) === 1) {
			yield { text: "Lost." };
			yield { drop: true };
		}
		yield say({ resumed: turn.resumed, prompt: turn.prompt });
	},

	/** A turn with some of everything, for the case that looks at every frame. */
	async *frames(_turn, { calls, path }) {
		yield { thinking: FRAMES.thinking };
		yield { text: FRAMES.before };
		// Long enough for heartbeats, which are all that a client gets while the model is busy.
		yield { delay: 700 };
		yield { calls };
		yield { exec: { kind: "read", args: { path } } };
		yield { text: FRAMES.after };
		yield { usage: { usedTokens: FRAMES.usedTokens, maxTokens: FRAMES.maxTokens } };
	},

	async *headers(turn) {
		yield say({ headers: turn.headers, builtins: turn.builtins });
	},
};

export const TEXT_CHUNKS = ["Hello ", "from the ", "emulator: ", "größer, 日本語, 🚀.\n"];

/** What the model says in the scenario `frames`. */
export const FRAMES = {
	thinking: "I look first.",
	before: "One moment. ",
	after: "That is all.",
	usedTokens: 1_234,
	maxTokens: 200_000,
};

export const USAGE = {
	inputTokens: 101,
	outputTokens: 23,
	cacheReadTokens: 7,
	cacheWriteTokens: 5,
	reasoningTokens: 3,
	usedTokens: 1_234,
	maxTokens: 200_000,
};

const QUERIES = [
	{ kind: "web_search_request_query", args: { args: { searchTerm: "cursorwire", toolCallId: "search_1" } } },
	{ kind: "web_fetch_request_query", args: { args: { url: "http://127.0.0.1:9/", toolCallId: "fetch_1" } } },
	{
		kind: "ask_question_interaction_query",
		args: {
			toolCallId: "ask_1",
			args: {
				title: "Which one?",
				questions: [{ id: "q1", prompt: "Which one?", options: [{ id: "a", label: "A" }] }],
			},
		},
	},
];

const PLAN_QUERY = {
	toolCallId: "plan_1",
	args: {
		name: "Two steps",
		overview: "Do it, then check it.",
		plan: "1. Do it.\n2. Check it.",
		todos: [{ id: "t1", content: "Do it" }],
	},
};

function attempt(turn) {
	const count = (attempts.get(turn.conversationId) ?? 0) + 1;
	attempts.set(turn.conversationId, count);
	return count;
}

/**
 * The result of an exec or a query as plain data: which kind of message it is, which member of its `result` is set, and
 * that member. Or what the client threw.
 */
function result(answer) {
	if (answer.thrown) return { thrown: answer.thrown };
	// The answer to a question to the user wraps its result in one more message.
	const message = answer.value.result?.$typeName ? answer.value.result : answer.value;
	return { kind: answer.case, case: message.result?.case, value: message.result?.value };
}

/** What Cursor's server adds to a command. The SDK decides by it whether the command may run without asking. */
function shellArgs(command) {
	return { ...command, timeout: 60_000, simpleCommands: [], parsingResult: { executableCommands: [] } };
}

/** @param {{ value: { event: { case: string } } }} message */
function eventKind(message) {
	return message.value.event.case;
}

function toolResult({ text, isError, failure, content }) {
	const images = content.filter(({ type }) => type === "image").map(fingerprint);
	return { text, isError: Boolean(isError), failure, images };
}

function textOf(content) {
	return content
		.filter(({ type }) => type === "text")
		.map(({ text }) => text)
		.join("");
}

function fingerprint({ mediaType, data }) {
	return { mediaType, bytes: data.byteLength, sha256: createHash("sha256").update(data).digest("hex") };
}
