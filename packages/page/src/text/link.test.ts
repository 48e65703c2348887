import { expect, it } from "vitest";
import { pageAddress } from "./link.ts";

it("lets only pages be linked to", () => {
	expect(pageAddress("https://example.org/errors")).toBe("https://example.org/errors");
	expect(pageAddress("javascript:alert(1)")).toBeUndefined();
	expect(pageAddress("data:text/html,x")).toBeUndefined();
	expect(pageAddress(undefined)).toBeUndefined();
});
