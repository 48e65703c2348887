import { configDefaults, defineConfig } from "vitest/config";
import { longestFirst } from "./packages/gateway/test/kit/longest-first.ts";
import { SKIPPED_FILES } from "./packages/gateway/test/kit/skipped-files.ts";

/** They measure the memory of their own process, which others must not have used before. */
const APART = ["slow-readers", "upstream-rows", "h2-floods"].map((name) => `packages/*/test/**/${name}.test.ts`);

/** Those that took more than 40 of the seconds of a whole run. */
const LONGEST = [
	...[
		"docs/commands",
		"credentials/keychain",
		"faults/many-turns",
		"cli/ask",
		"hostile/large-answers",
		"faults/lost-database",
		"hostile/large-bodies",
	],
	...["behaviour/messages", "connect/connect", "behaviour/chat", "soak/soak", "clients/ai-sdk", "clients/openai"],
	...["load/parked", "behaviour/responses", "store/redis-gateways", "faults/unfinished-bodies", "security/web-pages"],
	...["cli/failures", "hostile/mutations", "faults/floods", "unified/idempotent", "usage/usage", "unified/appends"],
	...["behaviour/upstream", "prompts/sdks", "emulator/test/cli", "clients/langchain", "limits/settings"],
	...["faults/signals", "hostile/paths", "upstream/reset-anywhere", "faults/overload", "faults/slow-readers"],
	...["unified/one-stream", "legacy/behaviour"],
];

export default defineConfig({
	test: {
		sequence: { sequencer: longestFirst(LONGEST.map((name) => `${name}.test.ts`)) },
		// Only what takes much longer than others has a line of its own below its file.
		slowTestThreshold: 10_000,
		// The only limit, for what hangs: far above what the slowest test needs on a very busy machine.
		testTimeout: 360_000,
		hookTimeout: 360_000,
		// Two cores on the smallest supported machine, and tests that wait for processes a good part of their time.
		maxWorkers: 3,
		projects: [
			{
				extends: true,
				test: {
					name: "together",
					include: ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts"],
					exclude: [...configDefaults.exclude, ...APART, ...SKIPPED_FILES],
					globalSetup: ["packages/gateway/test/kit/bundled-program.ts"],
					// Loading the program anew for each file took as long as the tests themselves.
					isolate: false,
				},
			},
			{
				extends: true,
				test: { name: "apart", include: APART, exclude: [...configDefaults.exclude, ...SKIPPED_FILES] },
			},
		],
	},
});
