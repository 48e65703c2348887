import { contextOf, OUTPUT_TOKENS } from "../../connect/client.ts";
import type { LaunchClient } from "../launch-client.ts";

export const copilot: LaunchClient = {
	name: "GitHub Copilot CLI",
	program: "copilot",
	install: "npm install --global @github/copilot",
	variables: (target) => ({
		COPILOT_PROVIDER_BASE_URL: `${target.url}/v1`,
		COPILOT_PROVIDER_TYPE: "openai",
		COPILOT_PROVIDER_WIRE_API: "responses",
		COPILOT_PROVIDER_API_KEY: target.key,
		COPILOT_MODEL: target.model,
		// It knows the windows of its own models only.
		COPILOT_PROVIDER_MAX_PROMPT_TOKENS: String(contextOf(target)! - OUTPUT_TOKENS),
		COPILOT_PROVIDER_MAX_OUTPUT_TOKENS: String(OUTPUT_TOKENS),
	}),
};
