import { readFileSync } from "node:fs";
import { ErrorDetails_Error } from "@cursorwire/protocol/aiserver";
import { expect, it } from "vitest";
import { renderErrorsDoc } from "../../scripts/errors-doc.ts";
import { ERROR_KINDS } from "../../src/turn/error-kinds.ts";

const document = readFileSync(new URL("../../../../docs/errors.md", import.meta.url), "utf8");

it("docs/errors.md is what the generator makes of the tables (run scripts/generate-errors-doc.ts)", () => {
	expect(document).toBe(renderErrorsDoc());
});

it("has a row for every kind and every value of ErrorDetails", () => {
	for (const kind of Object.keys(ERROR_KINDS)) expect(document).toContain(`\n| \`${kind}\` | `);
	for (const name of Object.keys(ErrorDetails_Error)) expect(document).toContain(`\n| \`ERROR_${name}\` | `);
});
