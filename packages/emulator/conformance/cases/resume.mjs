import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { finishedText } from "../kit/conversation.mjs";
import { sawIn } from "../kit/saw.mjs";

/** @type {import("./index.mjs").Case} */
export const resume = {
	name: "resume",
	title: "Agent.resume in a new process continues the conversation from the store",

	async prepare({ ask, createAgent }) {
		const agent = await createAgent();
		const fact = `[remember] the word is ${randomUUID()}`;
		const answer = finishedText(await ask(agent, fact));
		return { agentId: agent.agentId, fact, answer, pid: process.pid };
	},

	async run({ ask, resumeAgent }, { agentId, fact, answer, pid }) {
		assert.notEqual(process.pid, pid, "this is another process");
		const agent = await resumeAgent(agentId);
		assert.equal(agent.agentId, agentId);
		const recalled = finishedText(await ask(agent, "[recall]"));
		assert.deepEqual(sawIn(recalled), [
			{ role: "user", text: fact },
			{ role: "assistant", text: answer },
			{ role: "user", text: "[recall]" },
		]);
	},
};
