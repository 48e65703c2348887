import { expect, it } from "vitest";
import { pausesOf } from "../../../test/kit/slices.ts";
import type { ToolDefinition } from "../../turn/request.ts";
import { checkTools } from "./tools.ts";
import { Warnings } from "./warnings.ts";

it("tools are checked in slices", () => {
	const offered = Array.from({ length: 100 }, (_, index) => {
		const definition: ToolDefinition = { name: `t${index}`, description: "", inputSchema: {}, kind: "function" };
		return { definition, param: `tools[${index}].name`, schemaParam: `tools[${index}].parameters` };
	});
	expect(pausesOf(checkTools(offered, new Warnings()))).toBe(100);
});
