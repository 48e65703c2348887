import type { Command } from "commander";

export interface AskFlags {
	model: string;
	system?: string;
	thinking?: boolean;
	json?: boolean;
	http1?: boolean;
	protocol?: string;
	upstream?: string;
	dataDir?: string;
}

export function addAskOptions(command: Command): Command {
	return command
		.description("ask one question and print the reply as it arrives")
		.argument("[prompt...]", "what to ask; text from a pipe or a file is added to it, and - stands for it")
		.option("-m, --model <name>", "model to ask", "auto")
		.option("-s, --system <text>", "system prompt")
		.option("--thinking", "print the model's thinking as well, to standard error")
		.option("--json", "print one JSON object at the end")
		.option("--http1", "use HTTP/1.1 without trying HTTP/2")
		.option("--protocol <name>", "auto, agent, unified or legacy: which of Cursor's protocols to speak")
		.option("--upstream <url>", "base URL of Cursor's backend")
		.option("--data-dir <folder>", "folder for credentials and the model list");
}
