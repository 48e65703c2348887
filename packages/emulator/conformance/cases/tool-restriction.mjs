import assert from "node:assert/strict";
import { withHeaders } from "../kit/added-headers.mjs";

const ALLOWED = "x-cursor-agent-allowed-tools";
const EXCLUDED = "x-cursor-agent-exclude-tools";
const MCP_FAMILY = [
	"mcp_tool_call",
	"get_mcp_tools_tool_call",
	"list_mcp_resources_tool_call",
	"read_mcp_resource_tool_call",
	"mcp_auth_tool_call",
].join(",");

/** @type {import("./index.mjs").Case} */
export const toolRestriction = {
	name: "tool-restriction",
	title: "the headers that allow and exclude tools arrive on every request of the run, even with an empty value",
	without: { toolOptions: "has no such option: the headers are added to its requests below the SDK" },

	async run(kit) {
		const free = await assertArrives(kit, {}, {});
		assert.ok(free.includes("read_tool_call") && free.includes("shell_tool_call"), "all tools without a restriction");

		const mcpOnly = await assertArrives(kit, { tools: ["mcp"] }, { [ALLOWED]: MCP_FAMILY });
		assert.ok(
			mcpOnly.every((tool) => MCP_FAMILY.includes(tool)),
			`only tools of the client: ${mcpOnly}`,
		);

		assert.deepEqual(await assertArrives(kit, { tools: [] }, { [ALLOWED]: "" }), [], "no tool at all");

		const withoutRead = await assertArrives(kit, { disallowedTools: ["read"] }, { [EXCLUDED]: "read_tool_call" });
		assert.deepEqual(
			withoutRead,
			free.filter((tool) => tool !== "read_tool_call"),
		);
	},
};

/** @returns {Promise<string[]>} the built-in tools the brain was left with */
async function assertArrives({ control, has, sees, transport }, options, expected) {
	const { saw, exchange } = has("toolOptions")
		? await sees("[headers]", options)
		: await withHeaders(/\/(Run|RunSSE|BidiAppend)$/, expected, () => sees("[headers]"));
	assert.deepEqual(restrictions(saw.headers), expected, "as the brain sees them");

	const calls = (await control.requests()).filter(
		({ path, headers }) =>
			/\/(Run|RunSSE|BidiAppend)$/.test(path) && headers["x-request-id"] === exchange.run.requestId,
	);
	const kinds = new Set(calls.map(({ path }) => path.split("/").at(-1)));
	assert.deepEqual([...kinds].sort(), transport.http === "1.1" ? ["BidiAppend", "RunSSE"] : ["Run"], "the run's calls");
	for (const { path, headers } of calls) assert.deepEqual(restrictions(headers), expected, `on ${path}`);
	return saw.builtins;
}

function restrictions(headers) {
	return Object.fromEntries(Object.entries(headers).filter(([name]) => [ALLOWED, EXCLUDED].includes(name)));
}
