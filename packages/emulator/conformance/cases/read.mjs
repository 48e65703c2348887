import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { completedCalls } from "../kit/conversation.mjs";

/** @type {import("./index.mjs").Case} */
export const read = {
	name: "read",
	title: "the server reads a file of the client, and learns that another one is missing",

	async run({ sees, workspace, writeFile }) {
		// Random content, so that it can only have come over the wire.
		const content = `line one ${randomUUID()}\nline two\n`;
		const path = await writeFile("note.txt", content);
		const missing = join(workspace, "missing.txt");

		const { saw, exchange } = await sees(`[read] ${JSON.stringify({ path, missing })}`);
		assert.equal(saw.found.case, "success", JSON.stringify(saw.found));
		assert.equal(saw.found.value.path, path);
		assert.equal(saw.found.value.output.value, content);
		assert.equal(Number(saw.found.value.fileSize), Buffer.byteLength(content));
		assert.equal(saw.absent.case, "fileNotFound", JSON.stringify(saw.absent));
		assert.equal(saw.absent.value.path, missing);

		const [found, absent] = completedCalls(exchange);
		assert.deepEqual([found.name, found.args.path, found.result.status], ["read", path, "success"]);
		assert.equal(found.result.value.content, content);
		assert.equal(found.result.value.totalLines, saw.found.value.totalLines);
		assert.equal(found.result.value.fileSize, Buffer.byteLength(content));
		assert.deepEqual([absent.name, absent.args.path, absent.result?.status], ["read", missing, "error"]);
	},
};
