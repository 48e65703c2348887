// The README shows a recording. This makes it again: the real programs still end with the same screen.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
// @ts-expect-error: a script without types
import { framesIn, normalised, textOf } from "../../../../scripts/recording/read.mjs";
// @ts-expect-error: a script without types
import { recordSession } from "../../../../scripts/recording/session.mjs";

test("the recording of the README is what the programs show (npm run recording)", async () => {
	const svg = readFileSync(new URL("../../../../docs/images/recording.svg", import.meta.url), "utf8");
	const { text } = await recordSession({ port: "0" });
	expect(normalised(text)).toBe(normalised(textOf(framesIn(svg).at(-1))));
});
