import { join } from "node:path";
import { continueDev as settings } from "../../connect/clients/continue.ts";
import type { LaunchClient } from "../launch-client.ts";

export const continueDev: LaunchClient = {
	name: "Continue",
	program: "cn",
	install: "npm install --global @continuedev/cli",
	needsMore: true,
	variables: () => ({}),
	// It takes one file, so that is the user's own with the gateway at the front.
	extras(_target, { folder, connected }) {
		const file = join(folder, "config.yaml");
		return { args: ["--config", file], files: { [file]: connected(settings) } };
	},
};
