import { expect, it } from "vitest";
import { windowOfBetas } from "./betas.ts";

it.each([
	["claude-code-20250219,context-1m-2025-08-07,effort-2025-11-24", "1m"],
	["a-2025-01-01, context-2m-2027-01-01", "2m"],
	["context-management-2025-06-27,context-1m", undefined],
	["", undefined],
	[undefined, undefined],
])("%s asks for %s", (betas, window) => {
	expect(windowOfBetas(betas)).toBe(window);
});
