import { KEY_VARIABLE, PROVIDER, PROVIDER_TITLE } from "../../connect/client.ts";
import { codex as settings } from "../../connect/clients/codex.ts";
import type { Edit, Json } from "../../connect/edit.ts";
import { tomlKey, tomlLiteral } from "../../connect/formats/toml-write.ts";
import type { LaunchClient } from "../launch-client.ts";

export const codex: LaunchClient = {
	name: "Codex CLI",
	program: "codex",
	install: "npm install --global @openai/codex",
	variables: ({ key }) => ({ [KEY_VARIABLE]: key }),
	extras(target) {
		const provider: Json = {
			name: PROVIDER_TITLE,
			base_url: `${target.url}/v1`,
			wire_api: "responses",
			// Not the key itself, as in its settings: these are arguments.
			env_key: KEY_VARIABLE,
		};
		const edits: Edit[] = [
			{ op: "set", path: ["model_providers", PROVIDER], value: provider },
			...settings.selection(target),
		];
		return {
			args: edits.flatMap((edit) => ["-c", `${tomlKey(edit.path)}=${tomlLiteral((edit as { value: Json }).value)}`]),
		};
	},
};
