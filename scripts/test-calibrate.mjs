// `npm run test:calibrate`: `cursorwire calibrate` against every switch and value of the emulator, and 200 random
// combinations of them (`-- --combinations 50`, `-- --seed 3` for others). It takes a while.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({
	options: { combinations: { type: "string", default: "200" }, seed: { type: "string", default: "2026" } },
});
const { status } = spawnSync(
	"node",
	[
		join("node_modules", "vitest", "vitest.mjs"),
		"run",
		"--maxWorkers=1",
		"packages/gateway/test/calibrate/combinations.test.ts",
	],
	{
		stdio: "inherit",
		env: {
			...process.env,
			CURSORWIRE_CALIBRATE_COMBINATIONS: values.combinations,
			CURSORWIRE_CALIBRATE_SEED: values.seed,
		},
	},
);
process.exitCode = status ?? 1;
