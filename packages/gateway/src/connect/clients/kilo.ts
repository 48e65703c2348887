import { join } from "node:path";
import { type Client, configFolder } from "../client.ts";
import { opencode } from "./opencode.ts";

/** Kilo's command line is built on OpenCode and has its settings, in a file of its own. */
export const kilo: Client = {
	...opencode,
	name: "Kilo CLI",
	files(places) {
		const named = places.variable("KILO_CONFIG");
		const folder = join(configFolder(places), "kilo");
		return named ? [named] : ["kilo.json", "kilo.jsonc"].map((name) => join(folder, name));
	},
	fresh: [{ op: "set", path: ["$schema"], value: "https://app.kilo.ai/config.json" }],
};
