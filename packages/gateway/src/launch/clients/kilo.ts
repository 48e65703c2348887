import type { LaunchClient } from "../launch-client.ts";
import { content } from "./opencode.ts";

/** It is made from OpenCode and has its settings, under another name. */
export const kilo: LaunchClient = {
	name: "Kilo CLI",
	program: "kilo",
	install: "npm install --global @kilocode/cli",
	variables: (target) => ({ KILO_CONFIG_CONTENT: content(target) }),
};
