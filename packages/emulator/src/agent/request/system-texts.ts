import type { AgentRunRequest, RequestContext } from "@cursorwire/protocol/agent";
import type { SystemText } from "../../prompts/prompt.ts";
import type { Switches } from "../../switches.ts";
import type { RootMessage } from "../state/root-messages.ts";

/** The system prompt, from the channels that reach the model as the switch says. */
export function systemTexts(
	{ customSystemPrompt }: AgentRunRequest,
	roots: readonly RootMessage[],
	switches: Switches,
): SystemText[] {
	const read = switches.get("system-prompt");
	const fromRoots = roots.flatMap((entry) => (entry.role === "system" ? [entry.content] : []));
	return [
		...inChannel("custom_system_prompt", customSystemPrompt ? [customSystemPrompt] : []),
		...(read === "root" || read === "all" ? inChannel("root_prompt_messages", fromRoots) : []),
	];
}

/** Rules of the request context, chosen in the same way. */
export function ruleTexts(context: RequestContext | undefined, switches: Switches): SystemText[] {
	const read = switches.get("system-prompt");
	const { rules = [], nonFileRules = [], cloudRule } = context ?? {};
	const contents = (list: typeof rules) => list.map(({ content }) => content);
	return [
		...(read === "rules" || read === "all"
			? [...inChannel("rules", contents(rules)), ...inChannel("non_file_rules", contents(nonFileRules))]
			: []),
		...(cloudRule && (read === "cloud-rule" || read === "all") ? inChannel("cloud_rule", [cloudRule]) : []),
	];
}

function inChannel(channel: string, texts: readonly string[]): SystemText[] {
	return texts.map((text) => ({ channel, text }));
}
