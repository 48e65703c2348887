import { join } from "node:path";
import { crush as settings } from "../../connect/clients/crush.ts";
import type { LaunchClient } from "../launch-client.ts";

export const crush: LaunchClient = {
	name: "Crush",
	program: "crush",
	install: "npm install --global @charmland/crush",
	needsMore: true,
	variables: () => ({}),
	extras(_target, { folder, connected }) {
		const config = join(folder, "config");
		return {
			variables: {
				CRUSH_GLOBAL_CONFIG: config,
				// The model that was chosen last is kept here, and would be stronger. Sessions are kept in the project.
				CRUSH_GLOBAL_DATA: join(folder, "data"),
			},
			files: { [join(config, "crush.json")]: connected(settings) },
		};
	},
};
