import assert from "node:assert/strict";
import { completedCalls } from "../kit/conversation.mjs";

/** @type {import("./index.mjs").Case} */
export const shellStream = {
	name: "shell-stream",
	title: "a command's output is streamed as events, which end with its exit code",

	async run({ sees }) {
		const command = "printf one; printf two >&2; exit 5";
		const { saw, exchange } = await sees(`[shell-stream] ${JSON.stringify({ command })}`);
		assert.equal(saw.stdout, "one");
		assert.equal(saw.stderr, "two");
		assert.equal(saw.exitCode, 5);
		assert.equal(saw.kinds.at(0), "start");
		assert.equal(saw.kinds.at(-1), "exit");
		assert.deepEqual([...new Set(saw.kinds)].sort(), ["exit", "start", "stderr", "stdout"]);

		const [shown] = completedCalls(exchange);
		assert.equal(shown.name, "shell");
		const { stdout, stderr, exitCode } = shown.result.value;
		assert.deepEqual({ stdout, stderr, exitCode }, { stdout: "one", stderr: "two", exitCode: 5 });
	},
};
