import type { Target } from "../../connect/client.ts";
import { claudeCode as settings } from "../../connect/clients/claude-code.ts";
import { editValue } from "../../connect/edit.ts";
import type { LaunchClient, Variables } from "../launch-client.ts";

/** Behind a model's name it asks Claude Code, and Cursor, for the long context. */
const LONG = "[1m]";

export const claudeCode: LaunchClient = {
	name: "Claude Code",
	program: "claude",
	install: "npm install --global @anthropic-ai/claude-code",
	variables(target) {
		const { model, models } = target;
		return {
			...settingsVariables(target),
			// A key of the user's would be sent beside the token.
			ANTHROPIC_API_KEY: "",
			// What `/model opus` and agents that name a tier get.
			ANTHROPIC_DEFAULT_OPUS_MODEL: tier("opus", target),
			ANTHROPIC_DEFAULT_SONNET_MODEL: tier("sonnet", target),
			ANTHROPIC_DEFAULT_FABLE_MODEL: tier("fable", target),
			// `/model` lists those of the gateway that look like Anthropic's, and this one.
			ANTHROPIC_CUSTOM_MODEL_OPTION: model,
			ANTHROPIC_CUSTOM_MODEL_OPTION_NAME: models.find(({ id }) => id === model)?.name ?? model,
			// It knows how long this one is by itself.
			...(model.endsWith(LONG) && { CLAUDE_CODE_MAX_CONTEXT_TOKENS: undefined }),
			// "env" in the user's settings.json is stronger than the shell, unless the host says that it manages these.
			CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST: "1",
			// A line about the version before the system prompt, which the model need not read and caches need not miss.
			CLAUDE_CODE_ATTRIBUTION_HEADER: "0",
			// They would lead past the gateway.
			CLAUDE_CODE_USE_BEDROCK: undefined,
			CLAUDE_CODE_USE_VERTEX: undefined,
			CLAUDE_CODE_USE_FOUNDRY: undefined,
		};
	},
};

/** What `connect` writes into its settings are variables, too. */
function settingsVariables(target: Target): Variables {
	const { env } = editValue({}, [...settings.provider(target), ...settings.selection(target)]) as { env: Variables };
	return env;
}

/** The newest Claude of a tier that the account has; without one, the model that was chosen. */
function tier(name: string, { model, models }: Target): string {
	const ids = models.map(({ id }) => id).filter((id) => id.startsWith("claude") && id.split("-").includes(name));
	return ids.sort((one, other) => version(other) - version(one) || one.length - other.length)[0] ?? model;
}

const version = (id: string): number => Number(/\d+(?:\.\d+)?/.exec(id)?.[0] ?? 0);
