import { defineConfig } from "vitest/config";

/** They measure the memory of their own process, which others must not have used before. */
const APART = ["slow-readers", "upstream-rows", "h2-floods"].map((name) => `packages/*/test/**/${name}.test.ts`);

export default defineConfig({
	test: {
		// A limit for what hangs, far above what the slowest test needs on a busy machine.
		testTimeout: 120_000,
		hookTimeout: 120_000,
		// Two cores on the smallest supported machine, and tests that wait for processes a good part of their time.
		maxWorkers: 3,
		projects: [
			{
				extends: true,
				test: {
					name: "together",
					include: ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts"],
					exclude: APART,
					globalSetup: ["packages/gateway/test/kit/bundled-program.ts"],
					// Loading the program anew for each file took as long as the tests themselves.
					isolate: false,
				},
			},
			{ extends: true, test: { name: "apart", include: APART } },
		],
	},
});
