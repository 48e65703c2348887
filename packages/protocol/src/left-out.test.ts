import { expect, it } from "vitest";
import { leftOut } from "../scripts/left-out.ts";
import { LEFT_OUT } from "./left-out.ts";

it("the fields that proto/ leaves out are listed; if not: npm run generate", () => {
	const listed = Object.entries(LEFT_OUT).map(([name, numbers]) => [name, numbers.split(" ").map(Number)]);
	expect(Object.fromEntries(listed)).toEqual(leftOut());
});
