import { expect, it } from "vitest";
import { depthBelow, launchMark } from "./launch-mark.ts";

it("names the launches around it", () => {
	expect(launchMark("a", {})).toBe("a");
	expect(launchMark("a", { CURSORWIRE_LAUNCH: "" })).toBe("a");
	expect(launchMark("b", { CURSORWIRE_LAUNCH: "a" })).toBe("a/b");
});

it.each<[string, string[], number | undefined]>([
	["itself", ["PATH=/bin", "CURSORWIRE_LAUNCH=a/b", ""], 2],
	["a launch within it", ["CURSORWIRE_LAUNCH=a/b/c"], 3],
	["the launch around it", ["CURSORWIRE_LAUNCH=a"], undefined],
	["another one", ["CURSORWIRE_LAUNCH=a/bc"], undefined],
	["another variable", ["X_CURSORWIRE_LAUNCH=a/b", "CURSORWIRE_LAUNCHES=a/b"], undefined],
	["none", [""], undefined],
])("tells %s", (_, environment, depth) => {
	expect(depthBelow("a/b", environment)).toBe(depth);
});
