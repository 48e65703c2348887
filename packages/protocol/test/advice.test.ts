// What the scheduled workflow tells the maintainers.
import { expect, it } from "vitest";
// @ts-expect-error: a script without types
import { advice } from "../../../scripts/drift/advice.mjs";

const SAME = { status: 0, text: "@cursor/sdk 1.0.32, compared with the facts (1.0.32)\n\nno difference\n" };
const NEW = {
	status: 0,
	text: "@cursor/sdk 1.0.33, compared with the facts (1.0.32)\n\n    + agent.v1.A.b = 1 (bool)\n",
};
const CHANGED = { status: 1, text: "@cursor/sdk 1.0.33, compared with the facts (1.0.32)\n\n  ! ~ agent.v1.A.b\n" };
const GREEN = { status: 0, text: "  ok    text: fine (1.0 s)\n1 passed, 0 failed\n" };
const RED = { status: 1, text: "  ok    text: fine (1.0 s)\n  FAIL  frames: broken (1.0 s)\n1 passed, 1 failed\n" };

it("is nothing where all is as it was", () => {
	expect(advice(SAME, GREEN)).toBeUndefined();
});

it("is the list where something is new, or has changed", () => {
	const listed = advice(NEW, GREEN);
	expect(listed.title).toBe("Drift: @cursor/sdk 1.0.33");
	expect(listed.body).toContain("Nothing that is used here has changed. The SDK works with the emulator.");
	expect(listed.body).toContain("+ agent.v1.A.b = 1 (bool)");
	expect(advice(CHANGED, GREEN).body).toContain("Something that is used here has changed.");
});

it("has what failed where the SDK no longer works, and only that", () => {
	const { body } = advice(SAME, RED);
	expect(body).toContain("FAIL  frames: broken");
	expect(body).not.toContain("text: fine");
});

it("is an error where nothing could be compared", () => {
	const unreachable = { status: 2, text: "drift: the npm registry is not reachable (ENOTFOUND)" };
	expect(() => advice(unreachable, GREEN)).toThrow(/registry is not reachable/);
});
