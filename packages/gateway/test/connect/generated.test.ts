import fc from "fast-check";
import { expect, it } from "vitest";
import { CLIENTS } from "../../src/connect/clients.ts";
import { editValue } from "../../src/connect/edit.ts";
import { parseSettings } from "../../src/connect/formats/format.ts";
import { planConnect, planDisconnect } from "../../src/connect/plan.ts";
import { codexFile, continueFile, openCodeFile } from "./generated.ts";
import { TARGET } from "./target.ts";

const RUNS = 60;
const comments = (text: string) => text.match(/(#|\/\/) note \d+/g);

it.each([
	["opencode", "// mine", openCodeFile],
	["codex", "# mine", codexFile],
	["continue", "# mine", continueFile],
])("%s: whatever a file looks like, only ours comes and goes", (id, comment, files) => {
	const client = CLIENTS[id]!;
	const value = (text: string) => parseSettings(client.format, text, id);
	fc.assert(
		fc.property(files, (before) => {
			const { after, connection } = planConnect(client, id, before, TARGET, true);
			expect(value(after)).toEqual(editValue(value(before), connection.edits));
			// What an entry of ours that is there already has in addition is removed, with the comments in it.
			if (!before.includes("cursorwire")) expect(comments(after)).toEqual(comments(before));
			if (before.includes("\n")) expect(after.includes("\r")).toBe(before.includes("\r"));
			expect(planDisconnect(connection, after)).toEqual({ after: before, exact: true, kept: [] });
			const edited = planDisconnect(connection, `${comment}\n${after}`);
			expect(edited).toEqual({ after: `${comment}\n${before}`, exact: false, kept: [] });
		}),
		{ seed: 15, numRuns: RUNS },
	);
});
