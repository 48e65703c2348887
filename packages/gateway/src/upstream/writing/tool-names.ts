import type { ToolDefinition } from "../../turn/request.ts";

/**
 * Names that mean something to Cursor itself. A client tool with such a name would be taken for the built-in one, so it
 * is sent under another name.
 */
const RESERVED = new Set([
	"websearch",
	"web_search",
	"webfetch",
	"web_fetch",
	"list_mcp_resources",
	"fetch_mcp_resource",
	"read_mcp_resource",
	"get_mcp_tools",
	"call_mcp_tool",
	"mcp_auth",
	"todo_write",
	"todowrite",
	"task",
	"switch_mode",
	"create_plan",
	"ask_question",
	"generate_image",
	"computer_use",
]);
const LEGAL = /^[A-Za-z0-9_-]{1,64}$/;

/** The names of a run's tools: what the client calls each of them, and what it is called on the wire. */
export class ToolNames {
	readonly #toWire = new Map<string, string>();
	readonly #toClient = new Map<string, string>();

	constructor(tools: readonly ToolDefinition[]) {
		const declared = new Set(tools.map(({ name }) => name));
		for (const { name } of tools) {
			const wire = this.#unused(wireName(name), declared, name);
			this.#toWire.set(name, wire);
			this.#toClient.set(wire, name);
		}
	}

	wire(name: string): string {
		return this.#toWire.get(name) ?? wireName(name);
	}

	/** The client's name for a wire name; undefined for a tool that was not offered. */
	client(wire: string): string | undefined {
		return this.#toClient.get(wire);
	}

	#unused(wanted: string, declared: ReadonlySet<string>, own: string): string {
		let candidate = wanted;
		for (let number = 2; this.#taken(candidate, declared, own); number++)
			candidate = `${wanted.slice(0, 60)}_${number}`;
		return candidate;
	}

	/** Whether a name is already in use, as an alias or as the plain name of another tool. */
	#taken(candidate: string, declared: ReadonlySet<string>, own: string): boolean {
		return this.#toClient.has(candidate) || (candidate !== own && declared.has(candidate));
	}
}

const NO_NAMES = new ToolNames([]);

export const namesOf = (tools: readonly ToolDefinition[]): ToolNames =>
	tools.length === 0 ? NO_NAMES : new ToolNames(tools);

function wireName(name: string): string {
	const legal = LEGAL.test(name) ? name : name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "tool";
	return RESERVED.has(legal.toLowerCase()) ? `client_${legal}`.slice(0, 64) : legal;
}
