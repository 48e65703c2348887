import { KEY_VARIABLE, PROVIDER } from "../../connect/client.ts";
import { codex as settings } from "../../connect/clients/codex.ts";
import { type Edit, editValue, type Json } from "../../connect/edit.ts";
import { tomlKey, tomlLiteral } from "../../connect/formats/toml-write.ts";
import type { LaunchClient } from "../launch-client.ts";

/** A snapshot of the shell holds its variables, the key among them, and stays where Codex is killed. */
const WITHOUT_SNAPSHOT = "features.shell_snapshot=false";

export const codex: LaunchClient = {
	name: "Codex CLI",
	program: "codex",
	install: "npm install --global @openai/codex",
	needsMore: true,
	variables: ({ key }) => ({ [KEY_VARIABLE]: key }),
	extras(target) {
		const edits = [...settings.provider(target), ...settings.selection(target)].map(withoutKey);
		const args = edits.map((edit) => `${tomlKey(edit.path)}=${tomlLiteral((edit as { value: Json }).value)}`);
		return { args: [...args, WITHOUT_SNAPSHOT].flatMap((setting) => ["-c", setting]) };
	},
};

/** These are arguments, so the key is read from its variable. */
function withoutKey(edit: Edit): Edit {
	if (edit.op !== "set" || edit.path[1] !== PROVIDER) return edit;
	const value = editValue(edit.value, [
		{ op: "remove", path: ["experimental_bearer_token"] },
		{ op: "set", path: ["env_key"], value: KEY_VARIABLE },
	]);
	return { ...edit, value };
}
