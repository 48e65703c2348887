import { join } from "node:path";
import { KEY_VARIABLE, PROVIDER, type Target } from "../../connect/client.ts";
import { pi as settings } from "../../connect/clients/pi.ts";
import { editValue } from "../../connect/edit.ts";
import type { LaunchClient } from "../launch-client.ts";

export const pi: LaunchClient = {
	name: "pi",
	program: "pi",
	install: "npm install --global @earendil-works/pi-coding-agent",
	needsMore: true,
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

/** What a turn costs is a share of Cursor's plan, not a price. */
const COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

function extension(target: Target): string {
	const made = editValue({}, settings.provider({ ...target, key: "" })) as { providers: { [PROVIDER]: object } };
	return `const { models, ...provider } = ${JSON.stringify(made.providers[PROVIDER], undefined, 2)};

export default (pi) => pi.registerProvider(${JSON.stringify(PROVIDER)}, {
	...provider,
	models: models.map((model) => ({ ...model, cost: ${JSON.stringify(COST)} })),
	apiKey: process.env.${KEY_VARIABLE},
});
`;
}
