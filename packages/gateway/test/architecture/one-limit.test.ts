// How long a test takes depends on the machine. vitest.config.ts has the only limit, for what hangs.
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
// @ts-expect-error: a script without types
import { readTestSources } from "../../../../scripts/tools/test-files.mjs";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

const OWN_LIMITS: [what: string, pattern: RegExp][] = [
	["a limit for the file", /vi\.setConfig\(\{[^}]*timeout/i],
	["a limit behind a test", /^\t*\}, \d{2,}_000\);$/m],
	["a limit in the options of a test", /\{\s*timeout: [\d_]+,?\s*\}, (async )?\(/],
	["a wait with a limit of its own; use `until`", /\bvi\.wait(For|Until)\b|\bexpect\.poll\b/],
];

const sources: Map<string, string> = readTestSources(ROOT);
const files = [...sources].filter(([file]) => !/\/test\/(agents|pack)\//.test(file));

it.each(OWN_LIMITS)("no test has %s", (_what, pattern) => {
	const own = fileURLToPath(import.meta.url);
	const found = files.filter(([file, text]) => !own.endsWith(file) && pattern.test(text)).map(([file]) => file);
	expect(files.length).toBeGreaterThan(300);
	expect(found).toEqual([]);
});
