import { contextOf, splitWindow } from "../client.ts";
import type { VariableClient } from "../variable-clients.ts";

export const copilot: VariableClient = {
	name: "GitHub Copilot CLI",
	api: "chat",
	variables(target) {
		const { input, output } = splitWindow(contextOf(target)!);
		return {
			COPILOT_PROVIDER_BASE_URL: `${target.url}/v1`,
			COPILOT_PROVIDER_TYPE: "openai",
			COPILOT_PROVIDER_WIRE_API: "completions",
			COPILOT_MODEL: target.model,
			// It knows the windows of its own models alone.
			COPILOT_PROVIDER_MAX_PROMPT_TOKENS: String(input),
			COPILOT_PROVIDER_MAX_OUTPUT_TOKENS: String(output),
		};
	},
	keyVariable: "COPILOT_PROVIDER_API_KEY",
	notes: [
		"Copilot CLI has no settings file for a server of your own, so nothing was written: put the lines into the start-up file of your shell, or in front of `copilot`.",
		"No GitHub login is needed with them. COPILOT_OFFLINE=true keeps it from asking GitHub for anything.",
	],
};
