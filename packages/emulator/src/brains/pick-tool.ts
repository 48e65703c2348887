import type { Tool } from "./brain.ts";

export type Intent = "read" | "write" | "list" | "search" | "run";

interface JsonSchema {
	type?: string | string[];
	properties?: Record<string, JsonSchema>;
	required?: string[];
	enum?: unknown[];
	default?: unknown;
}

/** Words in a tool's name that fit an intent, and the parameters that the tool then needs. */
const INTENTS: Record<Intent, { names: RegExp; needs: Role[] }> = {
	read: { names: /read|cat\b|view|open/i, needs: ["path"] },
	write: { names: /write|create|save/i, needs: ["path", "content"] },
	list: { names: /list|^ls$|dir|glob/i, needs: [] },
	search: { names: /grep|search|find/i, needs: ["pattern"] },
	run: { names: /bash|shell|exec|run|terminal|command/i, needs: ["command"] },
};

type Role = "path" | "content" | "pattern" | "command";

const ROLES: Record<Role, RegExp> = {
	path: /^(abs(olute)?_?)?(file_?)?(path|name)$|^file$|^target_?file$|^(dir|directory|folder)(_?path)?$/i,
	content: /^(content|contents|text|data|body|file_?text|new_?content)$/i,
	pattern: /^(pattern|query|regex|search|term|q)$/i,
	command: /^(commands?|cmd|script|code)$/i,
};

const UNRELATED = /todo|memory|task|agent|skill|web|notebook|plan|mcp|question/i;

/** The client's tool that fits an intent by its name and by the shape of its schema. */
export function pickTool(tools: readonly Tool[], intent: Intent): Tool | undefined {
	const { names, needs } = INTENTS[intent];
	const fitting = tools.filter((tool) => names.test(tool.name) && needs.every((role) => parameterFor(tool, role)));
	return fitting.find((tool) => !UNRELATED.test(tool.name)) ?? fitting[0];
}

function parameterFor(tool: Tool, role: Role): string | undefined {
	const { properties = {} } = (tool.inputSchema ?? {}) as JsonSchema;
	return Object.keys(properties).find((name) => ROLES[role].test(name));
}

/**
 * Arguments for a tool: the values under the names that the tool has for them, and placeholders for the rest. `words`:
 * what stands for a text.
 */
export function argumentsFor(
	tool: Tool,
	values: Partial<Record<Role, string>>,
	words = "demo",
): Record<string, unknown> {
	const { properties = {}, required = [] } = (tool.inputSchema ?? {}) as JsonSchema;
	const args: Record<string, unknown> = {};
	for (const name of required) args[name] = placeholder(properties[name], words);
	for (const [role, value] of Object.entries(values) as [Role, string][]) {
		const name = parameterFor(tool, role);
		if (!name) continue;
		const takesList = properties[name]?.type === "array";
		// A list called `command` is one command, split into words.
		const isWords = role === "command" && !/s$/i.test(name);
		args[name] = takesList ? (isWords ? ["bash", "-lc", value] : [value]) : value;
	}
	return args;
}

function placeholder(schema: JsonSchema | undefined, words: string): unknown {
	if (schema?.default !== undefined) return schema.default;
	if (schema?.enum?.length) return schema.enum[0];
	switch (Array.isArray(schema?.type) ? schema.type[0] : schema?.type) {
		case "number":
		case "integer":
			return 1;
		case "boolean":
			return false;
		case "array":
			return [];
		case "object":
			return {};
		default:
			return words;
	}
}
