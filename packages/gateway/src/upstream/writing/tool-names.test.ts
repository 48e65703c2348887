import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ToolDefinition } from "../../turn/request.ts";
import { ToolNames } from "./tool-names.ts";

const tool = (name: string): ToolDefinition => ({ name, description: "", inputSchema: {}, kind: "function" });

describe("tool names", () => {
	it("keeps ordinary names and gives the built-ins' names another", () => {
		const names = new ToolNames(["read", "WebFetch", "Task"].map(tool));
		expect(["read", "WebFetch", "Task"].map((name) => names.wire(name))).toEqual([
			"read",
			"client_WebFetch",
			"client_Task",
		]);
		expect(names.client("client_Task")).toBe("Task");
		expect(names.client("shell")).toBeUndefined();
	});

	it("is one to one, legal, and never an alias of another tool's own name", () => {
		const name = fc.oneof(
			fc.constantFrom("task", "client_task", "Task", "a b", "a_b", "a/b", "x".repeat(80)),
			fc.string({ minLength: 1 }),
		);
		fc.assert(
			fc.property(fc.uniqueArray(name, { maxLength: 12 }), (list) => {
				const names = new ToolNames(list.map(tool));
				const wire = list.map((each) => names.wire(each));
				expect(new Set(wire).size).toBe(list.length);
				for (const each of wire) expect(each).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
				expect(wire.map((each) => names.client(each))).toEqual(list);
			}),
		);
	});
});
