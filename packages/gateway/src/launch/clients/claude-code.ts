import { contextOf, type Target } from "../../connect/client.ts";
import type { LaunchClient } from "../launch-client.ts";

/** Behind a model's name it asks Claude Code, and Cursor, for the long context. */
const LONG = "[1m]";

export const claudeCode: LaunchClient = {
	name: "Claude Code",
	program: "claude",
	install: "npm install --global @anthropic-ai/claude-code",
	variables(target) {
		const { url, key, model, models } = target;
		const name = model.replace(LONG, "");
		return {
			// Claude Code adds /v1 itself.
			ANTHROPIC_BASE_URL: url,
			ANTHROPIC_AUTH_TOKEN: key,
			// A key of the user's would be sent beside the token.
			ANTHROPIC_API_KEY: "",
			ANTHROPIC_MODEL: model,
			// What `/model opus` and agents that name a tier get; titles and summaries go to the small one.
			ANTHROPIC_DEFAULT_OPUS_MODEL: tier("opus", target),
			ANTHROPIC_DEFAULT_SONNET_MODEL: tier("sonnet", target),
			ANTHROPIC_DEFAULT_FABLE_MODEL: tier("fable", target),
			ANTHROPIC_DEFAULT_HAIKU_MODEL: tier("haiku", target),
			// `/model` lists those of the gateway that look like Anthropic's, and this one.
			CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY: "1",
			ANTHROPIC_CUSTOM_MODEL_OPTION: model,
			ANTHROPIC_CUSTOM_MODEL_OPTION_NAME: models.find(({ id }) => id === name)?.name ?? model,
			// It knows the windows of Anthropic's names only, and would compact too late or too early.
			CLAUDE_CODE_MAX_CONTEXT_TOKENS: model.endsWith(LONG) ? undefined : String(contextOf({ ...target, model: name })),
			// "env" in the user's settings.json is stronger than the shell, unless the host says that it manages these.
			CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST: "1",
			// A line about the version before the system prompt, which the model need not read and caches need not miss.
			CLAUDE_CODE_ATTRIBUTION_HEADER: "0",
			// Only many tools are worth looking for: whatever is found later costs another run.
			ENABLE_TOOL_SEARCH: "auto",
			// They would lead past the gateway.
			CLAUDE_CODE_USE_BEDROCK: undefined,
			CLAUDE_CODE_USE_VERTEX: undefined,
			CLAUDE_CODE_USE_FOUNDRY: undefined,
		};
	},
};

/** The newest Claude of a tier that the account has; without one, the model that was chosen. */
function tier(name: string, { model, models }: Target): string {
	const ids = models.map(({ id }) => id).filter((id) => id.startsWith("claude") && id.split("-").includes(name));
	return ids.sort((one, other) => version(other) - version(one) || one.length - other.length)[0] ?? model;
}

const version = (id: string): number => Number(/\d+(?:\.\d+)?/.exec(id)?.[0] ?? 0);
