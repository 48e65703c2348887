// The three APIs as a client sees them: how a conversation is sent, and how a whole or streamed response is read.
//
// A conversation is a list of { user }, { text, calls: [{ id, name, arguments }] } and { results: [{ id, text }] }.
// What is read is { text, calls, error, ended }: `ended` only if the response has the end that its API prescribes.

const MODEL = "composer-1";
const PARAMETERS = { type: "object", properties: { at: { type: "string" } }, required: ["at"] };

const chat = {
	name: "chat",
	path: "/v1/chat/completions",
	body: ({ conversation, stream, tools }) => ({
		model: MODEL,
		stream,
		messages: conversation.flatMap(chatMessages),
		...(tools && { tools: [{ type: "function", function: { name: "look", parameters: PARAMETERS } }] }),
	}),
	whole({ choices: [{ message, finish_reason }] }) {
		const calls = (message.tool_calls ?? []).map(({ id, function: call }) => ({ id, ...call }));
		return { text: message.content ?? "", calls, ended: finish_reason !== null };
	},
	event(read, { data }) {
		if (data === "[DONE]") {
			read.ended = true;
			return;
		}
		const { error, choices: [choice] = [] } = JSON.parse(data);
		if (error) read.error = error;
		read.text += choice?.delta.content ?? "";
		for (const { index, id, function: call } of choice?.delta.tool_calls ?? []) {
			read.calls[index] ??= { id, name: call.name, arguments: "" };
			read.calls[index].arguments += call.arguments ?? "";
		}
	},
	isError: ({ error }) => isOpenaiError(error),
};

function chatMessages({ user, text, calls, results }) {
	if (user !== undefined) return [{ role: "user", content: user }];
	if (results) return results.map(({ id, text: content }) => ({ role: "tool", tool_call_id: id, content }));
	const tool_calls = calls.map(({ id, ...call }) => ({ id, type: "function", function: call }));
	return [{ role: "assistant", content: text || null, ...(calls.length > 0 && { tool_calls }) }];
}

const messages = {
	name: "messages",
	path: "/v1/messages",
	body: ({ conversation, stream, tools }) => ({
		model: MODEL,
		stream,
		max_tokens: 200_000,
		messages: conversation.map(anthropicMessage),
		...(tools && { tools: [{ name: "look", input_schema: PARAMETERS }] }),
	}),
	whole({ content, stop_reason }) {
		const calls = content
			.filter(({ type }) => type === "tool_use")
			.map(({ id, name, input }) => ({ id, name, arguments: JSON.stringify(input) }));
		const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
		return { text: texts.join(""), calls, ended: stop_reason !== null };
	},
	event(read, { data }) {
		const { type, index, content_block: block, delta, error } = JSON.parse(data);
		if (type === "error") read.error = error;
		if (type === "message_stop") read.ended = true;
		if (block?.type === "tool_use") {
			read.open[index] = { id: block.id, name: block.name, arguments: "" };
			read.calls.push(read.open[index]);
		}
		if (delta?.type === "text_delta") read.text += delta.text;
		if (delta?.type === "input_json_delta") read.open[index].arguments += delta.partial_json;
	},
	isError: ({ type, error }) => type === "error" && isText(error?.type) && isText(error?.message),
};

function anthropicMessage({ user, text, calls, results }) {
	if (user !== undefined) return { role: "user", content: user };
	if (results) {
		const content = results.map(({ id, text: found }) => ({ type: "tool_result", tool_use_id: id, content: found }));
		return { role: "user", content };
	}
	const uses = calls.map(({ id, name, arguments: json }) => ({ type: "tool_use", id, name, input: JSON.parse(json) }));
	return { role: "assistant", content: [...(text ? [{ type: "text", text }] : []), ...uses] };
}

const responses = {
	name: "responses",
	path: "/v1/responses",
	body: ({ conversation, stream, tools, previous }) => ({
		model: MODEL,
		stream,
		input: conversation.flatMap(responseItems),
		...(previous && { previous_response_id: previous }),
		...(tools && { tools: [{ type: "function", name: "look", parameters: PARAMETERS }] }),
	}),
	whole({ id, status, output, error }) {
		const calls = output
			.filter(({ type }) => type === "function_call")
			.map(({ call_id, name, arguments: json }) => ({ id: call_id, name, arguments: json }));
		const texts = output.filter(({ type }) => type === "message").flatMap(({ content }) => content);
		const text = texts.map((part) => part.text).join("");
		return { id, text, calls, ended: status === "completed", ...(error && { error }) };
	},
	event(read, { data }) {
		const { type, delta, response } = JSON.parse(data);
		if (type === "response.output_text.delta") read.streamed = (read.streamed ?? "") + delta;
		if (type === "response.failed") read.error = response.error;
		if (type !== "response.completed") return;
		Object.assign(read, responses.whole(response));
		// The deltas and the whole response at the end have to say the same.
		if (read.text !== (read.streamed ?? "")) read.text = `streamed ${read.streamed}, completed ${read.text}`;
	},
	isError: ({ error }) => isOpenaiError(error),
};

function responseItems({ user, text, calls, results }) {
	if (user !== undefined) return [{ role: "user", content: user }];
	if (results) return results.map(({ id, text: output }) => ({ type: "function_call_output", call_id: id, output }));
	const said = text ? [{ type: "message", role: "assistant", content: [{ type: "output_text", text }] }] : [];
	return [...said, ...calls.map(({ id, ...call }) => ({ type: "function_call", call_id: id, ...call }))];
}

export const DIALECTS = [chat, messages, responses];

const isText = (value) => typeof value === "string" && value !== "";
const isOpenaiError = (error) => isText(error?.message) && isText(error?.type) && isText(error?.code);

/** Reads a response. Throws if it is neither a reply nor an error of the dialect. */
export function readResponse(dialect, { status, headers, text }) {
	if (status !== 200) {
		const body = JSON.parse(text);
		if (!dialect.isError(body)) throw new Error(`${status} without an error in the form of ${dialect.name}: ${text}`);
		return { status, text: "", calls: [], ended: false, error: body.error };
	}
	if (!headers["content-type"].startsWith("text/event-stream")) return { status, ...dialect.whole(JSON.parse(text)) };
	const read = { status, text: "", calls: [], open: {}, ended: false };
	for (const event of eventsOf(text)) dialect.event(read, event);
	return read;
}

function* eventsOf(text) {
	if (!text.endsWith("\n\n")) throw new Error(`the stream ends in the middle of an event: ${text.slice(-200)}`);
	for (const block of text.split("\n\n")) {
		const data = /^data: (.*)$/m.exec(block)?.[1];
		if (data !== undefined) yield { data };
	}
}
