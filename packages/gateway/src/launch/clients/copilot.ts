import { copilot as settings } from "../../connect/clients/copilot.ts";
import type { LaunchClient } from "../launch-client.ts";

export const copilot: LaunchClient = {
	name: "GitHub Copilot CLI",
	program: "copilot",
	install: "npm install --global @github/copilot",
	variables: (target) => ({ ...settings.variables(target), [settings.keyVariable]: target.key }),
};
