// The packages as a user gets them have a run of their own, `npm run test:packages`: they are built, packed and
// installed, and several versions of Node are fetched at need.
import { configDefaults, defineConfig } from "vitest/config";
import { INSTALL_LIMIT_MS } from "../agents/kit/install.ts";
import { SKIPPED_FILES } from "../kit/skipped-files.ts";

export default defineConfig({
	test: {
		include: ["packages/*/test/pack/*.pack.ts"],
		exclude: [...configDefaults.exclude, ...SKIPPED_FILES],
		globalSetup: ["packages/gateway/test/pack/kit/tarballs.ts"],
		testTimeout: 1_800_000,
		hookTimeout: INSTALL_LIMIT_MS,
		maxWorkers: 2,
	},
});
