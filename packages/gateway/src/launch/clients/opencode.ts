import type { Target } from "../../connect/client.ts";
import { opencode as settings } from "../../connect/clients/opencode.ts";
import { editValue } from "../../connect/edit.ts";
import type { LaunchClient } from "../launch-client.ts";

export const opencode: LaunchClient = {
	name: "OpenCode",
	program: "opencode",
	install: "npm install --global opencode-ai",
	variables: (target) => ({ OPENCODE_CONFIG_CONTENT: content(target) }),
};

/** OpenCode and Kilo merge it into the settings that they find in files. */
export const content = (target: Target): string =>
	JSON.stringify(editValue({}, [...settings.provider(target), ...settings.selection(target)]));
