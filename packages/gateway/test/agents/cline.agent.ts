import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Api, Place, Setup, Tools } from "./kit/agent.ts";
import { PACKAGES } from "./kit/packages.ts";
import { addFilePatch } from "./kit/patch.ts";
import { testAgent } from "./kit/tasks.ts";

/** Without a data folder of its own it would leave a daemon running. */
const dataOf = ({ home }: Pick<Place, "home">) => join(home, "cline");

const TOOLS: Tools = {
	read: (path) => ({ name: "read_files", arguments: { files: [{ path }] } }),
	write: (path, content) => ({ name: "editor", arguments: { path, new_text: content } }),
	run: (command) => ({ name: "run_commands", arguments: { commands: [command] } }),
};

const PATCHING_TOOLS: Tools = {
	...TOOLS,
	write: (path, content) => ({ name: "apply_patch", arguments: { input: addFilePatch(path, content) } }),
};

const setup = (api: Api, provider: string, tools: Tools): Setup => {
	const words = (place: Place) => ["--data-dir", dataOf(place), "-P", provider, "-m", place.model];
	return {
		api,
		model: "composer-1",
		configure: (place) => ({
			files: {
				[join(dataOf(place), "settings", "providers.json")]: JSON.stringify({
					version: 1,
					lastUsedProvider: provider,
					providers: {
						[provider]: {
							settings: { provider, apiKey: place.key, model: place.model, baseUrl: `${place.url}/v1` },
							updatedAt: "2026-01-01T00:00:00.000Z",
							tokenSource: "manual",
						},
					},
				}),
			},
			env: {
				CLINE_NO_AUTO_UPDATE: "1",
				CLINE_SESSION_BACKEND_MODE: "local",
				// What an editor sets in place of options.
				CLINE_DATA_DIR: dataOf(place),
				CLINE_PROVIDER: provider,
				CLINE_API_KEY: place.key,
			},
		}),
		start: (prompt, place) => [...words(place), prompt],
		resume(_prompt, place) {
			// `--id` wants a terminal; editors may go on with a session without one.
			const [session] = readdirSync(join(dataOf(place), "sessions"));
			return { words: ["--acp"], session: session!, model: place.model };
		},
		tools,
		// An editor is not offered the tools of the command line.
		rewritesHistory: true,
		// Neither of its ways to edit can replace a whole file.
		serves: ["read", "shell"],
		refused: { code: 1, tries: 1 },
	};
};

testAgent({
	name: "Cline",
	package: PACKAGES.cline,
	setups: [
		setup("chat", "openai-compatible", TOOLS),
		setup("responses", "openai-native", PATCHING_TOOLS),
		setup("messages", "anthropic", TOOLS),
	],
});
