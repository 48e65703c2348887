// `npm run pictures`: the pictures of the page in docs/images, made by the test that looks at them.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
const { status } = spawnSync(process.execPath, [vitest, "run", "packages/page/test/whole/pictures.test.ts"], {
	stdio: "inherit",
	env: { ...process.env, CURSORWIRE_PICTURES: "keep" },
});
process.exit(status ?? 1);
