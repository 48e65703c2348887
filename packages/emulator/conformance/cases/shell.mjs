import assert from "node:assert/strict";
import { completedCalls } from "../kit/conversation.mjs";

/** @type {import("./index.mjs").Case} */
export const shell = {
	name: "shell",
	title: "a command's output and a failing command's exit code reach the server",

	async run({ sees, workspace }) {
		const commands = [
			{ command: "echo $((6 * 7)) && pwd", workingDirectory: workspace },
			{ command: "echo broken >&2; exit 3" },
		];
		const { saw, exchange } = await sees(`[shell] ${JSON.stringify({ commands })}`);
		const [good, bad] = saw;

		assert.equal(good.case, "success", JSON.stringify(good));
		assert.equal(good.value.stdout, `42\n${workspace}\n`);
		assert.equal(good.value.exitCode ?? 0, 0);
		assert.equal(bad.case, "failure", JSON.stringify(bad));
		assert.equal(bad.value.stderr, "broken\n");
		assert.equal(bad.value.exitCode, 3);

		const shown = completedCalls(exchange);
		assert.deepEqual(
			shown.map(({ name, args }) => [name, args.command]),
			commands.map(({ command }) => ["shell", command]),
		);
		assert.equal(shown[0].result.value.stdout, good.value.stdout);
		assert.equal(shown[1].result.value.exitCode, 3);
	},
};
