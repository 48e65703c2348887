import { join } from "node:path";
import { cline as settings } from "../../connect/clients/cline.ts";
import type { LaunchClient } from "../launch-client.ts";

export const cline: LaunchClient = {
	name: "Cline",
	program: "cline",
	install: "npm install --global cline",
	needsMore: true,
	// Otherwise it leaves a process of its own running.
	variables: () => ({ CLINE_SESSION_BACKEND_MODE: "local" }),
	extras(target, { folder, connected }) {
		const file = join(folder, "providers.json");
		return {
			args: ["-P", "openai-compatible", "-m", target.model],
			variables: { CLINE_PROVIDER_SETTINGS_PATH: file },
			files: { [file]: connected(settings) },
		};
	},
};
