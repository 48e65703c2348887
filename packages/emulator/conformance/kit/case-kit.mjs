// What a case works with: the SDK, the emulator's counters, a workspace, and agents that are closed afterwards.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createControl } from "./control.mjs";
import { ask, begin, finishedText } from "./conversation.mjs";
import { hasFeature } from "./features.mjs";
import { sawIn } from "./saw.mjs";
import { TRANSPORTS } from "./transports.mjs";

export const MODEL = { id: "composer-1" };
const API_KEY = "key_conformance";

/**
 * @typedef {Awaited<ReturnType<typeof createCaseKit>>} CaseKit
 * @param {any} sdk
 * @param {import("../driver.mjs").Job} job
 * @param {string} caseName
 */
export async function createCaseKit(sdk, job, caseName) {
	// A workspace per case, so that files of one case cannot affect the next.
	const workspace = join(job.workspace, caseName);
	await mkdir(workspace, { recursive: true });
	const agents = [];
	const agentOptions = ({ local, ...options } = {}) => ({
		model: MODEL,
		apiKey: API_KEY,
		...options,
		local: { cwd: workspace, store: new sdk.JsonlLocalAgentStore(job.store), settingSources: [], ...local },
	});
	const keep = (agent) => {
		agents.push(agent);
		return agent;
	};

	return {
		sdk,
		has: (feature) => hasFeature(job.version, feature),
		transport: TRANSPORTS[job.transport],
		url: job.url,
		home: job.home,
		workspace,
		control: createControl(job.url),

		createAgent: async (options) => keep(await sdk.Agent.create(agentOptions(options))),
		resumeAgent: async (agentId, options) => keep(await sdk.Agent.resume(agentId, agentOptions(options))),

		ask,
		begin,

		/** Sends one message in a new agent and returns what the brain reported. */
		async sees(message, { send, ...options } = {}) {
			const agent = keep(await sdk.Agent.create(agentOptions(options)));
			const exchange = await ask(agent, message, send);
			return { saw: sawIn(finishedText(exchange)), exchange, agent };
		},

		async writeFile(name, content) {
			const path = join(workspace, name);
			await mkdir(dirname(path), { recursive: true });
			await writeFile(path, content);
			return path;
		},

		async close() {
			for (const agent of agents) await agent[Symbol.asyncDispose]().catch(() => {});
		},
	};
}
