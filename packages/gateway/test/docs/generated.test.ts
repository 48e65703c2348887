import { readFileSync } from "node:fs";
import { ErrorDetails_Error } from "@cursorwire/protocol/aiserver";
import { describe, expect, it } from "vitest";
import { DOCUMENTS } from "../../scripts/documents.ts";
import { SETTINGS } from "../../src/config/setting-table.ts";
import { ERROR_KINDS } from "../../src/turn/error-kinds.ts";

const read = (name: string) => readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), "utf8");

describe("a document that is made from a table", () => {
	it.each(Object.keys(DOCUMENTS))("is what the generator makes of it: %s (npm run docs)", (name) => {
		expect(read(name)).toBe(DOCUMENTS[name]!());
	});

	it("has a row for every kind of error, every value of ErrorDetails and every setting", () => {
		for (const kind of Object.keys(ERROR_KINDS)) expect(read("errors.md")).toContain(`\n| \`${kind}\` | `);
		for (const name of Object.keys(ErrorDetails_Error)) expect(read("errors.md")).toContain(`\n| \`ERROR_${name}\` | `);
		for (const name of Object.keys(SETTINGS)) expect(read("configuration.md")).toContain(`\n| \`${name}\` | `);
	});
});
