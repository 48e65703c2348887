// A stored conversation of an agent, gone on with as an editor does it: the Agent Client Protocol, JSON-RPC in lines.
import { createInterface } from "node:readline";
import type { EditorSession } from "./agent.ts";
import { type Finished, type Job, startAgent } from "./process.ts";

interface Message {
	id?: number;
	method?: string;
	error?: { message: string };
}

export async function resumeInEditor(job: Job, { session, model }: EditorSession, prompt: string): Promise<Finished> {
	const { child, ended } = startAgent(job);
	const answers = new Map<number, (answer: Message) => void>();
	createInterface({ input: child.stdout }).on("line", (line) => {
		const message = parse(line);
		if (message?.id !== undefined && message.method === undefined) answers.get(message.id)?.(message);
	});
	let count = 0;
	const ask = async (method: string, params: object): Promise<void> => {
		const id = ++count;
		const answered = new Promise<Message>((resolve) => answers.set(id, resolve));
		child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
		const { error } = await Promise.race([answered, ended.then(() => ({ error: { message: "it ended" } }))]);
		if (error) throw new Error(`${method}: ${error.message}`);
	};
	const capabilities = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };
	await ask("initialize", { protocolVersion: 1, clientCapabilities: capabilities });
	await ask("session/load", { sessionId: session, cwd: job.cwd, mcpServers: [] });
	await ask("session/set_model", { sessionId: session, modelId: model });
	await ask("session/prompt", { sessionId: session, prompt: [{ type: "text", text: prompt }] });
	child.stdin.end();
	return ended;
}

/** Undefined for what is printed beside the protocol. */
function parse(line: string): Message | undefined {
	try {
		return JSON.parse(line) as Message;
	} catch {
		return undefined;
	}
}
