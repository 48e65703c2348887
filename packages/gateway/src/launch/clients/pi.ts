import { join } from "node:path";
import { KEY_VARIABLE, OUTPUT_TOKENS, PROVIDER, type Target } from "../../connect/client.ts";
import type { LaunchClient } from "../launch-client.ts";

export const pi: LaunchClient = {
	name: "pi",
	program: "pi",
	install: "npm install --global @earendil-works/pi-coding-agent",
	variables: ({ key }) => ({ [KEY_VARIABLE]: key }),
	// Providers come from its own folder or from an extension. With another folder it would lose the user's sessions.
	extras(target, { folder }) {
		const file = join(folder, "cursorwire.mjs");
		return {
			args: ["--extension", file, "--provider", PROVIDER, "--model", target.model],
			files: { [file]: extension(target) },
		};
	},
};

function extension({ url, models }: Target): string {
	const provider = {
		baseUrl: `${url}/v1`,
		api: "openai-completions",
		models: models.map(({ id, name, contextWindow, thinking, images }) => ({
			id,
			name,
			reasoning: thinking,
			input: images ? ["text", "image"] : ["text"],
			// What a turn costs is a share of Cursor's plan, not a price.
			cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
			contextWindow,
			maxTokens: OUTPUT_TOKENS,
		})),
	};
	return `const provider = ${JSON.stringify(provider, undefined, 2)};

export default (pi) => pi.registerProvider(${JSON.stringify(PROVIDER)}, { ...provider, apiKey: process.env.${KEY_VARIABLE} });
`;
}
