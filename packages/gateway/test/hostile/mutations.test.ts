// B6: valid bodies with something wrong at any place.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHAT, expectRefusal, useBench } from "./bench.ts";
import type { RawClient, RawResponse } from "./raw-client.ts";

const bench = useBench();
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const VALID = {
	model: "composer-1",
	messages: [
		{ role: "system", content: [{ type: "text", text: "Be kind." }] },
		{
			role: "user",
			name: "ada",
			content: [
				{ type: "text", text: "look" },
				{ type: "image_url", image_url: { url: `data:image/png;base64,${PNG}`, detail: "low" } },
			],
		},
		{
			role: "assistant",
			content: null,
			reasoning_content: "hm",
			tool_calls: [{ id: "call_1", type: "function", function: { name: "read", arguments: '{"path":"a"}' } }],
		},
		{ role: "tool", tool_call_id: "call_1", content: "text of a" },
		{ role: "user", content: "hello" },
	],
	tools: [
		{
			type: "function",
			function: {
				name: "read",
				description: "reads",
				strict: true,
				parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
			},
		},
	],
	tool_choice: {
		type: "allowed_tools",
		allowed_tools: { mode: "auto", tools: [{ type: "function", function: { name: "read" } }] },
	},
	parallel_tool_calls: false,
	stream: false,
	stream_options: { include_usage: true },
	stop: ["END"],
	max_completion_tokens: 100,
	response_format: { type: "text" },
	reasoning_effort: "low",
	n: 1,
	user: "u",
	metadata: { a: "b" },
	seed: 1,
	temperature: 0.5,
	top_p: 1,
	logit_bias: { "1": 1 },
};

type Path = (string | number)[];

function* pathsOf(value: unknown, path: Path = []): Generator<Path> {
	if (path.length > 0) yield path;
	if (typeof value !== "object" || value === null) return;
	const isList = Array.isArray(value);
	for (const [key, item] of Object.entries(value)) yield* pathsOf(item, [...path, isList ? Number(key) : key]);
}

const PATHS = [...pathsOf(VALID)];
const REMOVED = Symbol("removed");

/** A copy with another value at the place, or without the place; the same where an earlier change took the place away. */
function changed(body: unknown, path: Path, value: unknown): unknown {
	const copy = structuredClone(body);
	let parent = copy as Record<string | number, unknown>;
	for (const key of path.slice(0, -1)) {
		const next = parent[key];
		if (typeof next !== "object" || next === null) return copy;
		parent = next as Record<string | number, unknown>;
	}
	const last = path.at(-1)!;
	if (value === REMOVED) delete parent[last];
	else parent[last] = value;
	return copy;
}

const wrong = fc.oneof(
	fc.constantFrom<unknown>(REMOVED, null, true, 0, -1, 1.5, 1e21, "", "x", "\r\n\0", [], [null], [[[]]], {}, [5]),
	fc.constantFrom<unknown>(
		"__proto__",
		{ __proto__: null, constructor: 1 },
		"\ud800",
		"a".repeat(5000),
		Array(600).fill({}),
	),
	fc.jsonValue({ maxDepth: 2 }),
);
const mutation = fc.record({ path: fc.constantFrom(...PATHS), value: wrong });

/** One connection for all: a refusal must leave it usable. */
function asker(): { ask(body: unknown): Promise<RawResponse>; close(): void } {
	let client: RawClient | undefined;
	return {
		async ask(body) {
			client ??= await bench.open();
			client.send(bench.chat(body));
			return client.response();
		},
		close: () => client?.close(),
	};
}

/** Where a body is right in itself, and asks for what is not to be had: another model, or a call that is not made. */
const UNFULFILLED: Record<number, string> = { 404: "model_not_found", 502: "output_invalid" };

/** Answered, or refused with the name of the place. */
function judge(response: RawResponse): void {
	if (response.status === 200) return;
	const { param, code } = expectRefusal(response, 400, 404, 502);
	if (response.status === 400) expect(param, response.body).toBeTruthy();
	else expect(code).toBe(UNFULFILLED[response.status]);
}

describe(`a body of ${CHAT} with something wrong in it`, () => {
	it("is valid to begin with", async () => {
		const { status, body } = await bench.ask(VALID);
		expect(status, body).toBe(200);
	});

	it("is answered or refused by name, whichever field has whichever type", async () => {
		const { ask, close } = asker();
		for (const path of PATHS) {
			for (const value of [REMOVED, null, 5, "", {}, [5]]) judge(await ask(changed(VALID, path, value)));
		}
		close();
	});

	it("is answered or refused by name, with several things wrong", async () => {
		const { ask, close } = asker();
		const property = fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 3 }), async (mutations) => {
			judge(await ask(mutations.reduce((body, { path, value }) => changed(body, path, value), VALID as unknown)));
		});
		await fc.assert(property, { numRuns: 250 });
		close();
	});

	it("is refused where it is no object", async () => {
		for (const body of ["null", "5", '"x"', "[]", "true", "[{}]", "{}"]) {
			expectRefusal(await bench.ask(body), 400);
		}
	});
});
