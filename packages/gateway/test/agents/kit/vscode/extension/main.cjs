// Inside VS Code: opens "Manage Language Models" as a user does, waits for the model of the Custom Endpoint, and asks it
// in Chat. The job is an environment variable of VS Code's, and so is the file for what came of it.
const { appendFileSync } = require("node:fs");
const vscode = require("vscode");

const VENDOR = "customendpoint";
const { prompts, model, report } = JSON.parse(process.env.CURSORWIRE_TEST_VSCODE);

const tell = (line) => appendFileSync(report, `${JSON.stringify(line)}\n`);

exports.activate = () => {
	work().then(
		() => tell({ done: true }),
		(error) => tell({ failed: String(error?.stack ?? error) }),
	);
};

async function work() {
	const before = await vscode.lm.selectChatModels({ vendor: VENDOR });
	tell({ version: vscode.version, before: before.length });
	const listed = modelsListed();
	// Without an account of GitHub's, Chat is off until somebody opens this.
	await vscode.commands.executeCommand("workbench.action.chat.manage");
	tell({ models: (await listed).map(({ id, name, maxInputTokens }) => ({ id, name, maxInputTokens })) });
	await vscode.commands.executeCommand("workbench.action.closeAllEditors");
	for (const query of prompts) {
		const { metadata, errorDetails } = await vscode.commands.executeCommand("workbench.action.chat.open", {
			...{ query, mode: "agent", modelSelector: { vendor: VENDOR, id: model }, blockOnResponse: true },
		});
		tell({ reply: (metadata?.toolCallRounds ?? []).map(({ response }) => response), error: errorDetails?.message });
	}
}

/** When the one to be asked is there. */
function modelsListed() {
	return new Promise((resolve) => {
		const look = async () => {
			const models = await vscode.lm.selectChatModels({ vendor: VENDOR });
			if (models.some(({ id }) => id === model)) resolve(models);
		};
		vscode.lm.onDidChangeChatModels(look);
		look();
	});
}
