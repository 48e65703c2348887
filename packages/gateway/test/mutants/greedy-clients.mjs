// Mistakes by which one client would take what others need. See scripts/test-mutants.mjs.
const STREAM_RESPONSE = "packages/gateway/src/turns/stream-response.ts";

export default [
	{
		row: "L5",
		mistake: "a client that reads nothing is never cut",
		file: STREAM_RESPONSE,
		find: "() => this.#response.destroy());",
		replace: "() => {});",
		test: "packages/gateway/test/faults/slow-client.test.ts",
	},
	{
		row: "L5",
		mistake: "Cursor is not slowed down for a client that reads slowly",
		file: "packages/gateway/src/turns/held-runs.ts",
		find: "		for (const handle of this.#handles) handle.pause();\n",
		replace: "",
		test: "packages/gateway/test/faults/slow-client.test.ts",
	},
	{
		row: "B3",
		mistake: "JSON may be nested to any depth",
		file: "packages/gateway/src/dialects/json/json-limits.ts",
		find: "if (++depth > MAX_JSON_DEPTH) throw invalid",
		replace: "if (++depth > Number.POSITIVE_INFINITY) throw invalid",
		test: "packages/gateway/test/hostile/json.test.ts",
		title: "nested 128 deep where nobody looks",
	},
];
