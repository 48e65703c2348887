// The tests beside the sources, for the systems on which the others cannot run: ci.yml says why they cannot.
import { defineConfig } from "vitest/config";

/** They expect POSIX file modes, or paths with slashes. */
const NOT_ON_WINDOWS = [
	"packages/gateway/src/app/data-folder.test.ts",
	"packages/gateway/src/app/discovery.test.ts",
	"packages/gateway/src/service/service.test.ts",
	"packages/gateway/src/upstream/census/census-keeper.test.ts",
];

export default defineConfig({
	test: {
		include: ["packages/*/src/**/*.test.ts"],
		exclude: process.platform === "win32" ? NOT_ON_WINDOWS : [],
		testTimeout: 120_000,
		hookTimeout: 120_000,
	},
});
