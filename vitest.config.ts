import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		include: ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts"],
		globalSetup: ["packages/gateway/test/kit/bundled-program.ts"],
		testTimeout: 30_000,
		hookTimeout: 30_000,
		// Two cores on the smallest supported machine: more workers only fight each other.
		maxWorkers: 2,
	},
});
